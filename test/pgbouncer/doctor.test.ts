import { migratePostgres } from '@partner-hiring/postgres';
import { createTestSchema } from '@partner-hiring/test-support/postgres/database';
import { expect, inject, test } from 'vitest';
import { doctorExitCode } from '../../packages/cli/src/doctor/report.js';
import { runDoctor } from '../../packages/cli/src/doctor/run-doctor.js';

test('behind a PgBouncer in transaction mode, every check of `doctor --strict` passes for a storage without prepared statements', async () => {
  const { schema, connectionString, drop } = createTestSchema();
  await migratePostgres({ connectionString, schema });
  const context = {
    database: inject('pgbouncerUrl'),
    schema,
    secretKey: '0123456789abcdef'.repeat(4),
    // The server of the tests does not wait for the disk.
    skip: ['durability'],
  };
  const report = await runDoctor({ ...context, preparedStatements: false });
  expect(report.checks.filter(({ state }) => state !== 'ok')).toMatchObject([
    { name: 'durability', state: 'skipped', isAsked: true },
  ]);
  expect(doctorExitCode(report, { strict: true })).toBe(0);
  if (!inject('knowsStatements')) {
    const strict = await runDoctor(context);
    expect(strict.checks.find(({ state }) => state === 'warning')).toMatchObject({
      name: 'pooler',
      fix: expect.stringContaining('--without-prepared-statements'),
    });
    expect(doctorExitCode(strict, { strict: true })).toBe(1);
  }
  await drop();
});
