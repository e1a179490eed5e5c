import { existsSync } from 'node:fs';
import { OperatorError } from '@partner-hiring/core';
import { missingMigrations } from '@partner-hiring/storage-kysely';
import { openHandle } from './driver-version.js';
import { appliedMigrations, sqliteMigrations } from './migrations.js';

/**
 * Checks the tables of a file. Only reads, so that the file of another program stays as it is.
 *
 * @throws OperatorError `MISCONFIGURED` if the file does not exist, was made before 0.1.0, or lacks tables or migrations.
 */
export function assertMigrated(file: string, migrations = sqliteMigrations()): void {
  if (!existsSync(file)) throw refusal(`The file ${file} does not exist.`);
  const handle = openHandle(file, { readonly: true });
  try {
    const applied = appliedMigrations(handle);
    if (applied.length === 0) throw refusal(`${file} has no tables of the partner API.`);
    const missing = missingMigrations(applied, migrations, { file });
    if (missing.length > 0) throw refusal(`${file} lacks migrations of this release.`);
  } finally {
    handle.close();
  }
}

function refusal(problem: string): OperatorError {
  return new OperatorError(
    'MISCONFIGURED',
    `${problem} Call migrateSqlite, or open the storage with \`migrate: 'at_start'\` first.`,
  );
}
