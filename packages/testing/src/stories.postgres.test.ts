/** What hosts run from the tarballs, on the sources. */
import { postgresUrl } from '@partner-hiring/test-support/postgres/database';
import { createTestInstance } from '@partner-hiring/testing';
import { temporaryPostgres } from '@partner-hiring/testing/postgres';
import { Pool } from 'pg';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { storiesFor } from '../../../test/tools/packages/test-runners/stories.js';

describe('with the test kit', () => {
  test.each(Object.keys(storiesFor('any')))('%s', async (title) => {
    await storiesFor(postgresUrl())[title]?.();
  });

  test.each(Object.keys(storiesFor('any')))('%s, under fake timers', async (title) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    await storiesFor(postgresUrl())[title]?.();
  });
});

test.each([
  ['nothing', {}],
  ['both', { connectionString: 'postgres://localhost', pool: {} }],
  ['an unknown option', { connectionString: 'postgres://localhost', schema: 'mine' }],
])('temporaryPostgres refuses %s', (_, options) => {
  expect(() => temporaryPostgres(options as never)).toThrow(
    'temporaryPostgres needs either a `connectionString` or a `pool`, and has no other options.',
  );
});

test('two instances at once use schemas of their own', async () => {
  const pool = new Pool({ connectionString: postgresUrl() });
  const open = () => createTestInstance({ database: temporaryPostgres({ pool }) });
  const [one, other] = await Promise.all([open(), open()]);
  const job = await one.createJob({ id: 'job_same' });
  await other.createJob({ id: 'job_same' });
  await one.operator.jobs.close({ id: job.id });
  expect(await other.operator.jobs.find({ id: job.id })).toMatchObject({ state: 'open' });
  await one.close();
  expect(await other.operator.jobs.find({ id: job.id })).toMatchObject({ state: 'open' });
  await other.close();
  await pool.end();
});
