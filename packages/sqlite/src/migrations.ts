import {
  type AppliedMigration,
  type Migration,
  type MigrationRow,
  type MigrationTarget,
  readMigrations,
  toAppliedMigration,
} from '@partner-hiring/storage-kysely';
import type { Database } from 'better-sqlite3';

export function sqliteMigrations(): readonly Migration[] {
  const folder = moduleUrl === undefined ? null : new URL('../migrations/', import.meta.url);
  return readMigrations('@partner-hiring/sqlite', folder);
}

/** The URL of this module. Undefined in a CommonJS bundle. */
const moduleUrl: string | undefined = import.meta.url;

/** Returns the applied migrations. Only reads, so it does not wait for a writer. */
export function appliedMigrations(handle: Database): readonly AppliedMigration[] {
  const isMigrated = handle.prepare("select 1 from sqlite_schema where name = 'ph_schema_migration'").get();
  if (isMigrated === undefined) return [];
  return handle
    .prepare<[], MigrationRow>('select * from ph_schema_migration order by version')
    .all()
    .map(toAppliedMigration);
}

export const CREATE_MIGRATION_TABLE = `create table if not exists ph_schema_migration (
  version integer not null primary key,
  name text not null,
  applied_at integer not null,
  -- The oldest migration whose release may run on this schema; null if no older release may.
  oldest_compatible integer
) strict`;

/** Applies migrations to the file. The handle must hold the write lock. */
export function createMigrationTarget(handle: Database): MigrationTarget {
  return {
    place: { file: handle.name },
    applied: async () => {
      handle.exec(CREATE_MIGRATION_TABLE);
      return appliedMigrations(handle);
    },
    apply: async ({ version, name, sql, oldestCompatible }, at) => {
      handle.exec(sql);
      handle
        .prepare(
          'insert into ph_schema_migration (version, name, applied_at, oldest_compatible) values (?, ?, ?, ?)',
        )
        .run(version, name, at, oldestCompatible);
    },
  };
}
