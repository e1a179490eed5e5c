import { expect, test } from 'vitest';
import { runProgram } from './run-program.js';

const PLATFORM_MS = 90_000;

test("the platform's rows and the partner's news commit together, or not at all", {
  timeout: PLATFORM_MS,
}, async () => {
  const { code, stdout, stderr } = await runProgram('platform/main.ts', [], { DATABASE_URL: '' });

  expect(stderr).toBe('');
  expect(stdout).toContain('a PostgreSQL from npm');
  const nothing = 'still candidates hired 0, hires 0, payroll entries 0; accepted 0, events 1';
  expect(stdout).toContain(`409 {"error":"payroll_entry_hourly_cents_check"}; ${nothing}`);
  expect(stdout).toContain(`409 {"error":"payroll_entry_tax_class"}; ${nothing}`);
  expect(stdout).toContain('candidates hired 1, hires 1, payroll entries 1; accepted 1, events 2');
  expect(stdout).toContain('"newStatus":"accepted"');
  expect(code).toBe(0);
});
