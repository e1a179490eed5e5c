import { expect, test } from 'vitest';
import { JOBS } from '../../packages/storage-kysely/src/tables/index.js';
import { migrationsOf, missingColumns, undescribedColumns } from '../support/missing-columns.js';

test.each(['postgres', 'sqlite'] as const)('names the column that no migration of %s makes', (storage) => {
  const sql = migrationsOf(storage);
  expect(missingColumns(sql)).toEqual([]);
  const line = sql.split('\n').find((one) => /^\s+schedule /.test(one)) ?? 'none';
  expect(missingColumns(sql.replace(line, ''))).toEqual(['ph_job.schedule']);
});

test.each(['postgres', 'sqlite'] as const)('names the column of %s that no table describes', (storage) => {
  const sql = migrationsOf(storage);
  expect(undescribedColumns(sql)).toEqual([]);
  const { schedule: _, ...shape } = JOBS.shape;
  expect(undescribedColumns(sql, [{ name: JOBS.name, shape }])).toEqual(['ph_job.schedule']);
});
