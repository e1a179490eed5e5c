import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { onBoth } from '../check.js';
import { placeOfAddress, type ResolvedAddress } from '../database/address.js';
import type { DoctorDatabase } from '../database/open-database.js';
import { type Finding, failed, ok } from '../report.js';

/** Refuses a path that does not lead to a file, before SQLite tries to open it. Null if the file may be opened. */
export function checkPath(address: ResolvedAddress): Finding | null {
  if (address.kind === 'refused') return failed(address.problem, 'Correct the address.');
  if (address.kind === 'postgres') return null;
  const file = resolve(address.file);
  if (!existsSync(file)) {
    return failed(
      `The file ${file} does not exist.`,
      'Correct the path. To create the file with its tables, run `partner-hiring migrate`.',
    );
  }
  // Opening a pipe would wait for its other end.
  if (!statSync(file).isFile())
    return failed(`${file} is not a file.`, 'Pass the path of the database file.');
  return null;
}

/**
 * Does the storage open, as in your processes? Opening a SQLite file changes its journal mode, so another check reads
 * that mode before this one.
 */
export const STORAGE = onBoth(
  'storage',
  ['server', 'file', 'journal-mode', 'schema-version', 'schema-list'],
  async (_, { storage }) => {
    await storage();
    return ok('The storage opens.');
  },
);

/** Reads one row, so that a wrong password, a wrong name and a damaged header are found. */
export async function checkAnswer(address: ResolvedAddress, database: DoctorDatabase): Promise<Finding> {
  const probe =
    database.kind === 'postgres' ? 'select 1 as one' : 'select count(*) as one from sqlite_schema';
  await database.rows(probe);
  const kind = database.kind === 'postgres' ? 'PostgreSQL' : 'SQLite';
  return ok(`${kind} at ${placeOfAddress(address)} answers.`);
}
