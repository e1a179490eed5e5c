import { expect, test } from 'vitest';
import type { Ended } from '../examples/run-program.js';
import { OLD_SECRET, RIGHT, type Rules, SECRET, startReceiver } from './receiver.js';
import { runCertify } from './run-certify.js';

/** Certifies a receiver with one changed rule. */
async function certify(change: Partial<Rules>, ...args: readonly string[]): Promise<Ended> {
  const url = await startReceiver({ ...RIGHT, ...change });
  return runCertify([url, '--timeout', '2', ...args], { WEBHOOK_SECRET: SECRET });
}

test('exits with 0 for a correct receiver, with one line per check and no colors', async () => {
  const { code, stdout, stderr } = await certify({});
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^ok {4}take {4}application_status_changed .*: 204 in \d+ ms$/m);
  expect(stdout).toMatch(/\nPassed: http:\/\/127\.0\.0\.1:\d+\/webhooks\n$/);
  expect(stdout).not.toContain('\u001b');
  expect(stdout).not.toContain(SECRET);
  expect(code).toBe(0);
});

test('exits with 0 for a warning', async () => {
  const { code, stdout } = await certify({ refusal: 429 });
  expect(stdout).toContain('WARNING  throttles_instead_of_refusing');
  expect(code).toBe(0);
});

test('exits with 1 for a finding, and says how to fix it', async () => {
  const { code, stdout } = await certify({ ahead: Number.POSITIVE_INFINITY });
  expect(stdout).toContain('SECURITY  accepts_future');
  expect(stdout).toContain('Fix  ');
  expect(stdout).toMatch(/\nFailed with 1 finding: /);
  expect(code).toBe(1);
});

test('prints only the report with --json, with the same exit code', async () => {
  const { code, stdout } = await certify(
    { secrets: [SECRET, OLD_SECRET] },
    '--old-secret',
    OLD_SECRET,
    '--json',
  );
  expect(JSON.parse(stdout)).toMatchObject({ passed: false, findings: [{ code: 'accepts_old_secret' }] });
  expect(stdout).not.toContain(OLD_SECRET);
  expect(code).toBe(1);
});

test('exits with 0 for --help', async () => {
  const { code, stdout } = await runCertify(['--help']);
  expect(stdout).toContain('Usage: certify <url> --secret');
  expect(code).toBe(0);
});

test.each([
  ['no URL', [], 'URL of the receiver is missing'],
  ['no secret', ['https://ats.example.com/'], 'WEBHOOK_SECRET'],
  ['plain http', ['http://ats.example.com/', '--secret', SECRET], 'must be https'],
  ['an option that does not exist', ['https://ats.example.com/', '--fast'], '--fast'],
  ['no receiver', ['http://receiver.invalid.localhost:1/', '--secret', SECRET], 'No receiver responds'],
] as const)('%s exits with 2 and one line that says what to do', async (_what, args, says) => {
  const { code, stdout, stderr } = await runCertify(args);
  expect(stdout).toBe('');
  expect(stderr).toContain(says);
  expect(stderr).not.toContain(SECRET);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(code).toBe(2);
});
