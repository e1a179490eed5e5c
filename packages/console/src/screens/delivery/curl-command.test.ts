import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { curlCommand } from './curl-command.js';

/** A folder with a program `curl` that prints its arguments, each with a NUL behind it. */
const folder = mkdtempSync(join(tmpdir(), 'ph-curl-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, 'curl'), '#!/bin/sh\nprintf "%s\\0" "$@"\n');
chmodSync(join(folder, 'curl'), 0o755);

/** Runs commands in one shell, and returns the arguments that each passes to `curl`. */
function argumentsOf(shell: string, commands: readonly string[]): readonly (readonly string[])[] {
  const script = join(folder, 'script');
  writeFileSync(script, commands.map((command) => `${command}\nprintf '\\001'\n`).join(''));
  const env = { PATH: `${folder}:${process.env.PATH ?? ''}`, HOME: folder };
  const printed = execFileSync(shell, [script], { cwd: folder, env, encoding: 'utf8' });
  return printed
    .split('\u0001')
    .slice(0, -1)
    .map((words) => words.split('\0').slice(0, -1));
}

const NASTY = [
  "'",
  '"',
  '`',
  '\\',
  '\n',
  '\r',
  '\t',
  '\u0003',
  '\u001b[201~',
  '\u009b201~',
  '\u202e',
  '\u2028',
  '$(touch poisoned)',
  '`touch poisoned`',
  '; touch poisoned #',
  "'; touch poisoned; '",
  '&& touch poisoned',
  '!!',
  '{}',
  '[1-9]',
  '*',
  '~',
  '@/etc/passwd',
  '-o poisoned',
  'ü',
  '\0',
  '%0a',
];
const TEXT = fc.array(fc.constantFrom(...NASTY, 'a', ' '), { maxLength: 6 }).map((parts) => parts.join(''));

it.each(['/bin/sh', '/bin/bash'])('cannot be poisoned by a URL or an event in %s', (shell) => {
  const cases = fc.sample(fc.record({ path: TEXT, title: TEXT, isPretty: fc.boolean() }), {
    numRuns: 300,
    seed: 47,
  });
  const commands = cases.map(({ path, title, isPretty }) =>
    curlCommand({
      url: `https://ats.example/${path}?q=${path}`,
      body: JSON.stringify({ title }, null, isPretty ? 2 : 0),
    }),
  );
  // A terminal acts on control characters even within quotes. Only the line breaks after a backslash are allowed.
  for (const command of commands)
    expect(command.replaceAll(' \\\n  ', ' ')).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u);
  const passed = argumentsOf(shell, commands);
  expect(passed).toHaveLength(cases.length);
  for (const [index, { path, title }] of cases.entries()) {
    const words = passed[index] ?? [];
    const url = new URL(`https://ats.example/${path}?q=${path}`).href;
    expect(words.slice(0, 4)).toEqual(['--globoff', '-X', 'POST', url]);
    expect(words.filter((word) => word.startsWith('-'))).toEqual([
      '--globoff',
      '-X',
      '-H',
      '-H',
      '-H',
      '--data-raw',
    ]);
    expect(words).toHaveLength(12);
    expect(JSON.parse(words.at(-1) ?? '')).toEqual({ title });
  }
});

it('cannot be poisoned by a row that somebody wrote by hand', () => {
  for (const body of NASTY) {
    const command = curlCommand({ url: `no url ${body}`, body });
    expect(command.replaceAll(' \\\n  ', ' ')).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u);
    expect(argumentsOf('/bin/sh', [command])[0]).toHaveLength(12);
  }
});

it('sends the body unchanged if it has only printable characters', () => {
  const body = `{"title":"Driver's $(id) \`mate\` \\\\ \\n Köln"}`;
  const [words] = argumentsOf('/bin/sh', [curlCommand({ url: "https://ats.example/a'b[1]{2}", body })]);
  expect(words?.[3]).toBe("https://ats.example/a'b[1]{2}".replace('{2}', '%7B2%7D'));
  expect(words?.at(-1)).toBe(body);
});

it('shows a hidden query as such', () => {
  const [words] = argumentsOf('/bin/sh', [curlCommand({ url: 'https://ats.example/hooks?…', body: '{}' })]);
  expect(words?.[3]).toBe('https://ats.example/hooks?…');
});
