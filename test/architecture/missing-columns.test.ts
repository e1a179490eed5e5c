import { expect, test } from 'vitest';
import { migrationsOf, missingColumns } from '../support/missing-columns.js';

test.each(['postgres', 'sqlite'] as const)('names the column that no migration of %s makes', (storage) => {
  const sql = migrationsOf(storage);
  expect(missingColumns(sql)).toEqual([]);
  const line = sql.split('\n').find((one) => /^\s+schedule /.test(one)) ?? 'none';
  expect(missingColumns(sql.replace(line, ''))).toEqual(['ph_job.schedule']);
});
