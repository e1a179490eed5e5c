import { expect, test } from 'vitest';
import { readCommandLine } from './command-line.js';

const URL = 'https://ats.example.com/hooks';

test('parses the URL, the secrets and the timeout', () => {
  const args = [URL, '--secret', 'a', '--secret', 'b', '--old-secret', 'c', '--timeout', '2.5', '--json'];
  expect(readCommandLine(args, {})).toEqual({
    kind: 'certify',
    json: true,
    options: { url: URL, secret: ['a', 'b'], oldSecret: ['c'], timeoutMs: 2_500 },
  });
});

test('passes on secrets with commas, which the options split', () => {
  const args = [URL, '--secret', 'a,b', '--secret', 'c', '--old-secret', 'd, e'];
  expect(readCommandLine(args, {})).toMatchObject({
    options: { secret: ['a,b', 'c'], oldSecret: ['d, e'] },
  });
});

test('reads secrets from the environment by default', () => {
  const env = { WEBHOOK_SECRET: 'a, b', OLD_WEBHOOK_SECRET: 'c' };
  expect(readCommandLine([URL], env)).toMatchObject({
    json: false,
    options: { secret: ['a, b'], oldSecret: ['c'], timeoutMs: 30_000 },
  });
  expect(readCommandLine([URL, '--secret', 'd', '--old-secret', 'e'], env)).toMatchObject({
    options: { secret: ['d'], oldSecret: ['e'] },
  });
});

test('has no old secret by default', () => {
  expect(readCommandLine([URL, '--secret', 'a'], {})).toMatchObject({ options: { oldSecret: [] } });
});

test.each([['--help'], ['-h'], [URL, '--help']])('returns help for %j', (...args) => {
  expect(readCommandLine(args, {})).toEqual({ kind: 'help' });
});

test.each([
  [[URL, '--whsec_aB34kT9z']],
  [[URL, '--json=whsec_aB34kT9z', '--secret', 'a']],
  [[URL, '--secret=a', '--timeout=whsec_aB34kT9z']],
  [['whsec_aB34kT9z', 'whsec_aB34kT9z']],
])('does not repeat a secret in the wrong place: %j', (args) => {
  const read = readCommandLine(args, {});
  expect(read.kind).toBe('wrong');
  expect(JSON.stringify(read)).not.toContain('aB34kT9z');
});

test.each([
  [[], 'URL of the receiver is missing'],
  [[URL, URL, '--secret', 'a'], 'only one URL'],
  [[URL], 'WEBHOOK_SECRET'],
  [[URL, '--secret'], '--secret'],
  [[URL, '--secret', ' '], 'WEBHOOK_SECRET'],
  [[URL, '--secret', 'a', '--timeout', 'soon'], '--timeout'],
  [[URL, '--secret', 'a', '--timeout', '0'], '--timeout'],
  [[URL, '--secret', 'a', '--colour'], 'Unknown option --colour.'],
  [[URL, '--aB34kT9zQ2mXw7Lr5Vb'], 'Unknown option.'],
])('rejects %j: %s', (args, says) => {
  expect(readCommandLine(args, {})).toEqual({ kind: 'wrong', message: expect.stringContaining(says) });
});
