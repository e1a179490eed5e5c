import { OPERATOR_COMMANDS as OPERATOR_FACTS } from '@partner-hiring/core';
import { describe, expect, test } from 'vitest';
import { OPERATOR_TABLE } from '../commands/all-commands.js';
import { CONNECTION_OPTIONS } from '../connection/connection-options.js';
import { UsageError } from './command-error.js';
import { formOf } from './command-form.js';
import { argumentName, isSwitch } from './command-option.js';
import { wordOf } from './field-words.js';
import { COMMON_OPTIONS } from './global-options.js';
import { parseCommandLine } from './parse-command-line.js';

const PROGRAM = { name: 'operate', table: OPERATOR_TABLE, globals: COMMON_OPTIONS, version: '1.2.3' };

function parse(line: string) {
  return parseCommandLine(PROGRAM, line.split(' ').filter(Boolean));
}

function lineOfWords(words: readonly string[]) {
  const parsed = parseCommandLine(PROGRAM, words);
  if (parsed.kind !== 'run') throw new Error(`"${words.join(' ')}" asks for help`);
  return parsed;
}

const lineOf = (line: string) => lineOfWords(line.split(' '));

const inputOf = (line: string) => lineOf(line).input;

function refusalOf(line: string): string {
  try {
    parse(line);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  throw new Error(`"${line}" is valid`);
}

function helpOf(line: string): string {
  const parsed = parse(line);
  if (parsed.kind !== 'help') throw new Error(`"${line}" runs a command`);
  return parsed.text;
}

describe('the help', () => {
  test.each([
    ['', 'Usage: operate <group> <command>'],
    ['--help', 'Usage: operate <group> <command>'],
    ['--json', 'Usage: operate <group> <command>'],
    ['help', 'Usage: operate <group> <command>'],
    ['jobs --help', 'Usage: operate jobs <command>'],
    ['help jobs', 'Usage: operate jobs <command>'],
    ['jobs -h', 'Default command: list'],
    ['jobs close --help', 'Usage: operate jobs close [options] <job>'],
    ['jobs close job_x --help', 'Usage: operate jobs close [options] <job>'],
    ['access grant --help', 'Usage: operate access grant [options] <key> <company...>'],
    ['jobs publish --help', '--country <TEXT>'],
  ])('is there for "%s"', (line, expected) => {
    expect(helpOf(line)).toContain(expected);
  });

  test('names every command with its arguments, its options and the common options', () => {
    const overview = helpOf('');
    for (const [name, { commands }] of Object.entries(OPERATOR_TABLE.groups)) {
      const groupHelp = helpOf(`${name} --help`);
      expect(overview).toContain(`  ${name}`);
      for (const [verb, command] of Object.entries(commands)) {
        const text = helpOf(`${name} ${verb} --help`);
        expect(groupHelp).toContain(`  ${verb}`);
        for (const argument of command.arguments ?? []) {
          expect(text).toMatch(new RegExp(`<${argumentName(argument)}(?:\\.{3})?>`));
        }
        for (const option of Object.keys({ ...command.options, ...COMMON_OPTIONS })) {
          expect(text).toContain(`--${option}`);
        }
      }
    }
    for (const name of Object.keys(OPERATOR_TABLE.singles)) expect(overview).toContain(`  ${name}`);
  });

  test.each([
    ['applications decide', ['accepted', 'rejected']],
    ['applications move', ['video_interview', 'under_review', 'final_review']],
    ['companies create', ['production', 'sandbox']],
    ['keys issue', ['production', 'sandbox']],
    ['jobs list', ['open|closed|archived']],
  ])('names what a value may be: %s', (command, choices) => {
    const text = helpOf(`${command} --help`);
    for (const choice of choices) expect(text).toContain(choice);
  });

  test('prints the version', () => {
    expect(helpOf('--version')).toBe('1.2.3');
    expect(() =>
      parseCommandLine({ name: 'operate', table: OPERATOR_TABLE, globals: COMMON_OPTIONS }, ['--version']),
    ).toThrow('--version');
  });
});

test('no command has an option of the program, and an option takes a value everywhere or nowhere', () => {
  const commands = [
    ...Object.values(OPERATOR_TABLE.groups).flatMap((group) => Object.values(group.commands)),
    ...Object.values(OPERATOR_TABLE.singles),
  ];
  const names = commands.flatMap((command) => Object.keys(command.options ?? {}));
  expect(names.filter((name) => name in CONNECTION_OPTIONS)).toEqual([]);
  const kinds = new Map<string, Set<boolean>>();
  for (const command of commands) {
    for (const [name, option] of Object.entries(command.options ?? {})) {
      kinds.set(name, (kinds.get(name) ?? new Set()).add(isSwitch(option)));
    }
  }
  expect([...kinds].filter(([, kind]) => kind.size > 1)).toEqual([]);
});

describe('a command line', () => {
  test('runs the standard command of a group where none is named', () => {
    const { groups } = OPERATOR_TABLE;
    expect(parse('partners')).toMatchObject({ command: groups.partners.commands.list, json: false });
    expect(parse('deliveries --json')).toMatchObject({
      command: groups.deliveries.commands.count,
      json: true,
    });
    expect(inputOf('jobs --state closed').option('state')).toBe('closed');
  });

  test.each([
    ['jbos', 'Unknown command "jbos". Did you mean jobs? Use one of partners'],
    ['rotate key_x', 'Unknown command "rotate". Did you mean keys rotate? Use one of partners'],
    ['pause', 'Unknown command "pause". Did you mean endpoints pause?'],
    ['constructor', 'Unknown command "constructor".'],
    ['jobs toString', 'Unknown command "toString".'],
    [
      'jobs publsh co_x Cook --min 5',
      'Unknown command "publsh". Did you mean publish? Use one of list, show, count, publish',
    ],
    ['jbos close --job x', 'Unknown command "jbos".'],
    ['--colour', "Unknown option '--colour'. Help: operate --help"],
    ['jobs close', '<job> is missing.'],
    ['deliveries show', 'Missing arguments. Expected <key> <event>.'],
    ['access grant key_x', 'Missing arguments. Expected <key> <company>. Got only "key_x".'],
    ['deliveries show evt_x', 'Missing arguments. Expected <key> <event>. Got only "evt_x".'],
    ['jobs close job_x job_y', 'Unexpected argument "job_y".'],
    ['jobs list job_x', 'Unexpected argument "job_x".'],
    ['jobs list --colour', "Unknown option '--colour'. Help: operate jobs list --help"],
    [
      'jobs list --stat open',
      "Unknown option '--stat'. Did you mean --state? Help: operate jobs list --help",
    ],
    ['jobs --jsn', "Unknown option '--jsn'. Did you mean --json?"],
    [
      'jobs list --state',
      "Option '--state <open|closed|archived>' argument missing. Help: operate jobs list",
    ],
    ['jobs list --state opn', '--state must be one of open, closed, archived, not "opn". Did you mean open?'],
    ['applications decide ej_app_x hired', '<decision> must be one of accepted, rejected, not "hired".'],
    ['audit list --act jobs.clos', '--act must be a known value. Did you mean jobs.close?'],
    ['audit list --act nonsense', '--act must be one of partners.create, '],
    ['timeline', '<id> is missing.'],
    ['jobs close job_x --as', "Option '--as <NAME>' argument missing."],
    ['jobs close job_x --reason typo', '--reason needs --as.'],
    ['applications --reveal', '--reveal needs --as and --reason'],
    ['applications --reveal --as ada', '--reveal needs --as and --reason'],
    [
      'candidates export --email a@b.c',
      'This command prints personal data. Add --reveal, --as and --reason.',
    ],
    ['export --email a@b.c --json --as ada --reason why', 'Add --reveal, --as and --reason.'],
  ])('that is invalid gets an error that explains it: "%s"', (line, message) => {
    const error = refusalOf(line);
    expect(error).toContain(message);
    expect(error).not.toContain('\n');
  });

  test('takes the common options at any place', () => {
    for (const line of ['--json --as ada jobs close job_x', 'jobs --as ada close --json job_x']) {
      expect(parse(line)).toMatchObject({ json: true, actor: { id: 'ada' } });
      expect(inputOf(line).id('job')).toBe('job_x');
    }
    const because = parse('jobs close job_x --as=ada --reason -5');
    expect(because).toMatchObject({ actor: { id: 'ada', reason: '-5' } });
    expect(parse('jobs close job_x')).toMatchObject({ json: false, actor: null });
  });

  test('accepts only ids of the right kind', () => {
    expect(inputOf('jobs close job_x').id('job')).toBe('job_x');
    expect(() => inputOf('jobs close co_x').id('job')).toThrow('starts with job_');
    expect(() => inputOf('jobs --company job_x').optionId('company')).toThrow('--company');
  });

  test.each(['kye_abc', 'pek_live_dGhlIHNlY3JldA'])(
    'rejects "%s" without repeating it, because it may be a secret',
    (text) => {
      const input = inputOf(`keys rotate ${text}`);
      expect(() => input.id('key')).toThrow(
        new UsageError('<key> must be an id that starts with key_. To see ids, run: keys list'),
      );
    },
  );

  test('parses days and times, and rejects times without a zone', () => {
    const at = Date.UTC(2026, 0, 31, 9);
    for (const text of [
      '2026-01-31T09:00Z',
      '2026-01-31T10:00:00.000+01:00',
      '2026-01-31T10:00+0100',
      '2026-01-31T04:00:00-05',
    ]) {
      expect(inputOf(`deliveries list --since ${text}`).optionInstant('since')).toBe(at);
    }
    expect(inputOf('deliveries list --since 2026-01-31').optionInstant('since')).toBe(Date.UTC(2026, 0, 31));
    for (const text of [
      '2026-02-31',
      '3y',
      '-3d',
      '2026-01-31T09:00',
      '2026-13-31T09:00Z',
      '2026-02-31T09:00Z',
      'yesterday',
    ]) {
      expect(() => inputOf(`deliveries list --since ${text}`).optionInstant('since')).toThrow(
        'must be a time',
      );
    }
  });

  test('takes a day, a time and how long ago it was wherever an instant is taken', () => {
    const instants = OPERATOR_FACTS.flatMap(({ name, fields }) =>
      fields.filter(({ kind }) => kind === 'instant').map((field) => [name, wordOf(field)] as const),
    );
    const commands = Object.values(OPERATOR_TABLE.groups).flatMap((group) => Object.values(group.commands));
    const offered = instants.flatMap(([name, word]) =>
      commands.flatMap(({ library, options = {} }) => (library === name ? (options[word] ?? []) : [])),
    );
    expect(offered.length).toBeGreaterThan(15);
    for (const { summary } of offered) expect(summary).toContain('2026-01-31, 2026-01-31T09:00Z or 3d');
  });

  test('takes the acts that the audit lists, in the form that it prints and as words', () => {
    const read = formOf('audit.list').read;
    for (const { name } of OPERATOR_FACTS.filter(({ pastTense }) => pastTense !== null)) {
      expect(read(inputOf(`audit list --act ${name}`))).toEqual({ act: name });
    }
    expect(read(lineOfWords(['audit', 'list', '--act', 'jobs close-all']).input)).toEqual({
      act: 'jobs.closeAll',
    });
  });

  const rotation = formOf('keys.rotate', { without: ['ifCurrent'] });

  test('converts an overlap from hours to integer milliseconds', () => {
    for (const [hours, overlapMs] of [
      ['1.1', 3_960_000],
      ['2.3', 8_280_000],
    ] as const) {
      expect(rotation.read(inputOf(`keys rotate key_x --overlap-hours ${hours}`))).toEqual({
        id: 'key_x',
        overlapMs,
      });
    }
  });

  test('rejects an overlap that is out of range', () => {
    for (const hours of ['168.5', '-1']) {
      expect(() => rotation.read(inputOf(`keys rotate key_x --overlap-hours=${hours}`))).toThrow(
        `--overlap-hours must be from 0 to 168, not ${hours}.`,
      );
    }
  });

  test('parses numbers and choices', () => {
    expect(inputOf('applications --limit 5').optionNumber('limit')).toBe(5);
    for (const text of ['five', '0x2', '0b1', '1e3', 'Infinity', '5.', '9'.repeat(400)]) {
      expect(() => inputOf(`applications --limit ${text}`).optionNumber('limit')).toThrow('must be a number');
    }
    expect(inputOf('applications --limit=-.5').optionNumber('limit')).toBe(-0.5);
    expect(inputOf('applications decide ej_app_x rejected').choice('decision', ['rejected'])).toBe(
      'rejected',
    );
  });
});
