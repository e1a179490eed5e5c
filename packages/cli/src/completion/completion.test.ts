import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { CommandContext } from '../command/command.js';
import { createCommandInput } from '../command/command-input.js';
import { PROGRAM_COMMANDS } from '../commands/all-commands.js';
import { CONNECTION_OPTIONS } from '../connection/connection-options.js';
import { completion } from './completion-command.js';
import { completedCommands, plainWords } from './completion-words.js';

const CONTEXT: CommandContext = {
  programName: 'partner-hiring',
  table: PROGRAM_COMMANDS,
  options: CONNECTION_OPTIONS,
  globals: {},
  actor: null,
  env: {},
  database: () => {
    throw new Error('The completion needs no database.');
  },
  print: () => {},
};

async function scriptOf(shell: string): Promise<string> {
  return (await completion.runAlone(createCommandInput({ shell }, {}), CONTEXT)).text;
}

const BASH = await scriptOf('bash');

/** Returns what bash offers for the last word of a line. */
function complete(line: string, cwd?: string): readonly string[] {
  const words = line.split(' ').map((word) => `'${word}'`);
  const program = `${BASH}
COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}
_partner_hiring && printf '%s\\n' "\${COMPREPLY[@]}"`;
  const printed = execFileSync('bash', ['--norc', '-c', program], { encoding: 'utf8', cwd });
  return printed.split('\n').filter(Boolean);
}

test('bash completes groups, commands, options and choices', () => {
  expect(complete('partner-hiring jo')).toEqual(['jobs']);
  expect(complete('partner-hiring e')).toEqual(['endpoints', 'events', 'export', 'erase']);
  expect(complete('partner-hiring ').length).toBe(
    Object.keys({ ...PROGRAM_COMMANDS.groups, ...PROGRAM_COMMANDS.singles }).length,
  );
  expect(complete('partner-hiring jobs p')).toEqual(['publish', 'public']);
  expect(complete('partner-hiring jobs list --st')).toEqual(['--state']);
  expect(complete('partner-hiring jobs list --state ')).toEqual(['open', 'closed', 'archived']);
  expect(complete('partner-hiring jobs --state c')).toEqual(['closed']);
  expect(complete('partner-hiring operations list --state s')).toEqual(['stopped']);
  expect(complete('partner-hiring applications decide ej_app_1 a')).toEqual(['accepted']);
  expect(complete('partner-hiring completion ')).toEqual(['bash', 'zsh', 'fish']);
  expect(complete('partner-hiring timeline --s')).toEqual([
    '--since',
    '--schema',
    '--schemas',
    '--sealing-key-file',
    '--sandbox',
  ]);
});

test('bash skips options and their values before the word', () => {
  expect(complete('partner-hiring --database x.sqlite --json jobs --as ada cl')).toEqual([
    'close',
    'close-all',
  ]);
  expect(complete('partner-hiring jobs list --company ')).toEqual([]);
  expect(complete('partner-hiring --as ')).toEqual([]);
});

test('bash completes the names of files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'partner-hiring-completion-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ['jobs of may.json', 'jobs.json']) writeFileSync(join(folder, name), '');
  for (const line of [
    'jobs import j',
    'jobs sync --file j',
    '--database j',
    'partners --sealing-key-file j',
  ]) {
    expect(complete(`partner-hiring ${line}`, folder).toSorted()).toEqual(['jobs of may.json', 'jobs.json']);
  }
});

test('each shell gets every command, option and choice', async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const script = await scriptOf(shell);
    for (const { path, command } of completedCommands(PROGRAM_COMMANDS)) {
      for (const word of path.split(' ')) expect(script).toMatch(new RegExp(`[ '=]${word}[ ':]`));
      for (const [name, { choices = [] }] of Object.entries(command.options ?? {})) {
        expect(script).toContain(shell === 'fish' ? ` -l ${name} ` : `--${name}`);
        expect(script).toContain(plainWords(choices));
      }
    }
    for (const name of Object.keys(CONNECTION_OPTIONS)) expect(script).toContain(name);
  }
});

test('zsh and fish get scripts in their own words', async () => {
  const zsh = await scriptOf('zsh');
  expect(zsh).toMatch(/^#compdef partner-hiring\n/);
  expect(zsh).toContain(`compadd -- \${=choices}`);
  expect(zsh).not.toContain('COMP');
  const fish = await scriptOf('fish');
  expect(
    fish
      .split('\n')
      .slice(1)
      .every((line) => line.startsWith('complete -c partner-hiring ')),
  ).toBe(true);
  expect(fish).toContain(
    "complete -c partner-hiring -n '__fish_seen_subcommand_from jobs; and __fish_seen_subcommand_from list' -l state -x -a 'open closed archived' -d ",
  );
  expect(fish).toContain('-l sealing-key-file -r -F -d ');
});

test('the words of the table need no quotes in any shell', () => {
  const { groups, singles } = PROGRAM_COMMANDS;
  const words = completedCommands({ groups, singles }).flatMap(({ path, command: { options = {} } }) => [
    ...path.split(' '),
    ...Object.keys(options),
  ]);
  expect(words.filter((word) => !/^[A-Za-z0-9._-]+$/.test(word))).toEqual([]);
});

test('leaves out choices that a shell would take for a pattern', async () => {
  expect(plainWords(['candidate.email', 'applicationFormAnswers.*'])).toBe('candidate.email');
  for (const shell of ['bash', 'zsh', 'fish']) expect(await scriptOf(shell)).not.toContain('Answers.*');
});
