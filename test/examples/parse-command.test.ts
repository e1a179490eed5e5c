import { describe, expect, test } from 'vitest';
import { ALL_COMMANDS } from '../../examples/server/operator/all-commands.js';
import { UsageError } from '../../examples/server/operator/command.js';
import { helpText } from '../../examples/server/operator/help.js';
import { overlapOf } from '../../examples/server/operator/overlap.js';
import { parseCommand } from '../../examples/server/operator/parse-command.js';
import { commandOf } from './open-operator.js';

function parse(line: string) {
  return parseCommand(ALL_COMMANDS, line.split(' ').filter(Boolean));
}

function inputOf(line: string) {
  const parsed = parse(line);
  if (parsed.kind !== 'run') throw new Error(`"${line}" asks for help`);
  return parsed.input;
}

describe('the help', () => {
  test.each([
    ['', { group: null, verb: null }],
    ['--help', { group: null, verb: null }],
    ['jobs --help', { group: 'jobs', verb: null }],
    ['jobs -h', { group: 'jobs', verb: null }],
    ['jobs close --help', { group: 'jobs', verb: 'close' }],
    ['jobs close job_x --help', { group: 'jobs', verb: 'close' }],
  ])('is there for "%s"', (line, expected) => {
    expect(parse(line)).toEqual({ kind: 'help', ...expected });
  });

  test('names every command with its arguments and options', () => {
    const overview = helpText(ALL_COMMANDS, null, null);
    for (const [name, { commands }] of Object.entries(ALL_COMMANDS)) {
      const groupHelp = helpText(ALL_COMMANDS, name, null);
      expect(overview).toContain(name);
      for (const [verb, command] of Object.entries(commands)) {
        const text = helpText(ALL_COMMANDS, name, verb);
        expect(groupHelp).toContain(`  ${verb}`);
        for (const argument of command.arguments ?? []) expect(text).toContain(`<${argument}>`);
        for (const option of Object.keys(command.options ?? {})) expect(text).toContain(`--${option}`);
      }
    }
  });
});

describe('the help of a command', () => {
  test.each([
    ['applications', 'decide', ['accepted', 'rejected']],
    ['applications', 'stage', ['video_interview', 'under_review', 'final_review']],
    ['companies', 'register', ['production', 'sandbox']],
    ['keys', 'issue', ['production', 'sandbox']],
  ])('names what an argument may be: %s %s', (group, verb, choices) => {
    const text = helpText(ALL_COMMANDS, group, verb);
    for (const choice of choices) expect(text).toContain(choice);
  });
});

describe('a command line', () => {
  test('runs the standard command of a group where none is named', () => {
    expect(parse('partners')).toMatchObject({ command: ALL_COMMANDS.partners?.commands.list, json: false });
    expect(parse('deliveries --json')).toMatchObject({ json: true });
  });

  test.each([
    ['jbos', 'Unknown command "jbos". Use one of partners'],
    ['constructor', 'Unknown command "constructor".'],
    ['jobs toString', 'Unknown command "toString".'],
    ['jobs close', '<job> is missing.'],
    ['deliveries show', 'Missing arguments. Expected <key> <event>.'],
    ['deliveries show evt_x', 'Missing arguments. Expected <key> <event>. Got only "evt_x".'],
    ['jobs close job_x job_y', 'Unexpected argument "job_y".'],
    ['jobs list --colour', '--colour'],
    ['jobs list --state', '--state'],
    ['jobs close job_x --reason typo', '--reason needs --as.'],
  ])('that is invalid gets an error that explains it: "%s"', (line, message) => {
    expect(() => parse(line)).toThrow(UsageError);
    expect(() => parse(line)).toThrow(message);
  });

  test('accepts only ids of the right kind', () => {
    expect(inputOf('jobs close job_x').id('job')).toBe('job_x');
    expect(() => inputOf('jobs close co_x').id('job')).toThrow('starts with job_');
    expect(() => inputOf('jobs --company job_x').optionId('company')).toThrow('--company');
  });

  test.each(['kye_abc', 'pek_live_dGhlIHNlY3JldA'])(
    'rejects "%s" without repeating it, because it may be a secret',
    (text) => {
      const { input } = commandOf(['keys', 'rotate', text]);
      expect(() => input.id('key')).toThrow(
        new UsageError('<key> must be an id that starts with key_. To see ids, run: keys list'),
      );
    },
  );

  test('parses times, and rejects those without a zone', () => {
    const at = Date.UTC(2026, 0, 31, 9);
    for (const text of ['2026-01-31T09:00Z', '2026-01-31T10:00:00.000+01:00']) {
      expect(inputOf(`deliveries list --since ${text}`).optionInstant('since')).toBe(at);
    }
    for (const text of [
      '2026-01-31',
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

  test('converts an overlap from hours to integer milliseconds', () => {
    for (const [hours, overlapMs] of [
      ['1.1', 3_960_000],
      ['2.3', 8_280_000],
    ] as const) {
      expect(overlapOf(inputOf(`keys rotate key_x --overlap-hours ${hours}`))).toEqual({ overlapMs });
    }
  });

  test('rejects an overlap that is out of range', () => {
    for (const hours of ['168.5', '-1']) {
      expect(() => overlapOf(inputOf(`keys rotate key_x --overlap-hours=${hours}`))).toThrow(
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
    expect(() => inputOf('applications decide ej_app_x hired').choice('decision', ['accepted'])).toThrow(
      'must be one of accepted',
    );
  });
});
