import { createTestSchema } from '@partner-hiring/test-support/postgres/database';
import { expect, it, onTestFinished } from 'vitest';
import { migratePostgres } from './migrate-postgres.js';
import { openPostgresReader } from './open-postgres-reader.js';

it('reads numbers and text, and cannot write', async () => {
  const { connectionString, schema, drop } = createTestSchema();
  onTestFinished(drop);
  await migratePostgres({ connectionString, schema });
  const reader = openPostgresReader({ connectionString });
  onTestFinished(() => reader.close());
  const read = await reader.rows(
    'select $1::text as text, count(*) as count, 1 = 1 as is_so, null as nothing',
    ['a'],
  );
  expect(read).toEqual([{ text: 'a', count: 1, is_so: 't', nothing: null }]);
  const writing = reader.rows(`delete from "${schema}".ph_schema_migration returning version`);
  await expect(writing).rejects.toThrow(/accepts no writes/);
  expect(await reader.findPreparedStatementsProblem()).toBeNull();
});

it('gives up a statement that takes too long, and can be used again', async () => {
  const { connectionString } = createTestSchema();
  const reader = openPostgresReader({ connectionString, timeoutMs: 200 });
  onTestFinished(() => reader.close());
  const startedAt = performance.now();
  await expect(reader.rows('select pg_sleep(10)')).rejects.toMatchObject({ name: 'StorageUnavailable' });
  expect(performance.now() - startedAt).toBeLessThan(3_000);
  expect(await reader.rows('select 1 as one')).toEqual([{ one: 1 }]);
});
