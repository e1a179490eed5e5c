import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { createCommandInput } from '../command/command-input.js';
import { PROGRAM_COMMANDS } from '../commands/all-commands.js';
import { CONNECTION_OPTIONS } from '../connection/connection-options.js';
import { runPartnerHiring } from '../partner-hiring-program.js';
import { completeWords, completion } from './completion-command.js';

const PROGRAM = { table: PROGRAM_COMMANDS, globals: CONNECTION_OPTIONS };

/** Returns what a shell offers for the last word of a line. */
function complete(line: string): readonly string[] {
  return completeWords(PROGRAM, line.split(' ')).map((each) => each.split('\t')[0] ?? '');
}

test('completes groups, commands, options and choices', () => {
  expect(complete('jo')).toEqual(['jobs']);
  expect(complete('e')).toEqual(['endpoints', 'events', 'export', 'erase', 'export-all']);
  expect(complete('')).toEqual(Object.keys({ ...PROGRAM_COMMANDS.groups, ...PROGRAM_COMMANDS.singles }));
  expect(complete('jobs p')).toEqual(['publish']);
  expect(complete('jobs list --st')).toEqual(['--state']);
  expect(complete('jobs list --state ')).toEqual(['open', 'closed', 'archived']);
  expect(complete('jobs --state c')).toEqual(['closed']);
  expect(complete('operations list --state s')).toEqual(['stopped']);
  expect(complete('applications decide ej_app_1 a')).toEqual(['accepted']);
  expect(complete('completion ')).toEqual(['bash', 'zsh', 'fish']);
  expect(complete('timeline --s').toSorted()).toEqual([
    '--sandbox',
    '--schema',
    '--schemas',
    '--sealing-key-file',
    '--since',
  ]);
});

test('skips options and their values before the word', () => {
  expect(complete('--database x.sqlite --json jobs --as ada cl')).toEqual(['close', 'close-all']);
});

test.each([
  '--database ',
  '--as ',
  'jobs import ',
  'jobs sync --file ',
  'jobs list --company ',
  'constructor toString ',
])('leaves "%s" to the shell, which completes the names of files', (line) => {
  expect(complete(line)).toEqual([]);
});

test('offers every command and option of the table', () => {
  for (const [group, { commands }] of Object.entries(PROGRAM_COMMANDS.groups)) {
    expect(complete(`${group} `)).toEqual(Object.keys(commands));
    for (const [verb, { options = {} }] of Object.entries(commands)) {
      const flags = Object.keys({ ...options, ...CONNECTION_OPTIONS }).map((name) => `--${name}`);
      expect(complete(`${group} ${verb} -`)).toEqual(flags);
    }
  }
});

test('leaves out choices that a shell would take for a pattern', () => {
  const options = { field: { summary: 'A field', choices: ['candidate.email', 'applicationFormAnswers.*'] } };
  const find = { summary: 'Finds', options, runAlone: completion.runAlone };
  const table = { groups: {}, singles: { find } };
  expect(completeWords({ table, globals: {} }, ['find', '--field', ''])).toEqual(['candidate.email\t']);
});

test('the program prints the words with their summaries, also those of a storage', async () => {
  const printed: string[] = [];
  const output = { out: (text: string) => void printed.push(text), error: () => {} };
  const code = await runPartnerHiring({ argv: ['complete', 'ce'], env: {}, output, version: '1.2.3' });
  expect({ code, printed }).toEqual({ code: 0, printed: [expect.stringMatching(/^cells\t\w/)] });
});

async function scriptOf(shell: string): Promise<string> {
  const context = { globals: {}, actor: null, env: {} };
  const database = () => {
    throw new Error('The completion needs no database.');
  };
  const input = createCommandInput({ shell }, {});
  return (await completion.runAlone(input, { ...context, database, print: () => {} })).text;
}

test('the script of bash asks the program, and takes each line up to its tab', async () => {
  const program = `${await scriptOf('bash')}
partner-hiring() { printf '%s|' "$@"; printf '\\tA summary\\nclose-all\\tAnother\\n'; }
COMP_WORDS=(partner-hiring jobs list '>' 'my file' ''); COMP_CWORD=5
_partner_hiring && printf '%s\\n' "\${COMPREPLY[@]}"`;
  const printed = execFileSync('bash', ['--norc', '-c', program], { encoding: 'utf8' });
  expect(printed).toBe('complete|jobs|list|>|my file||\nclose-all\n');
});

test('each shell has a script that asks the program', async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    expect(await scriptOf(shell)).toMatch(/partner-hiring complete .*2>\/dev\/null/);
  }
});
