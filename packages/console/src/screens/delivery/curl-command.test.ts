import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { curlCommand } from './curl-command.js';

it('passes the body to the shell unchanged', () => {
  const body = `{"title":"Driver's $(id) \`mate\` \\\\ \\n"}`;
  const command = curlCommand({ url: "https://ats.example/a'b", body }).replace(/^curl/, 'printf "%s\\n"');
  const words = execFileSync('/bin/sh', ['-c', command], { encoding: 'utf8' }).split('\n');
  expect(words.slice(0, 3)).toEqual(['-X', 'POST', "https://ats.example/a'b"]);
  expect(words.at(-2)).toBe(body);
});
