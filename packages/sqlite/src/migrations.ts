import { type Migration, type MigrationTarget, readMigrations } from '@partner-hiring/storage-kysely';
import type { Database } from 'better-sqlite3';

/** The package's own migrations. They lie beside `src` and, when it is built, beside `dist`. */
export function sqliteMigrations(): readonly Migration[] {
  const folder = place === undefined ? null : new URL('../migrations/', import.meta.url);
  return readMigrations('@partner-hiring/sqlite', folder);
}

/** Where this code lies. A bundle in CommonJS does not know. */
const place: string | undefined = import.meta.url;

/** The versions that a file has: none if it is new. It only reads, so that nobody who writes is waited for. */
export function appliedVersions(handle: Database): readonly number[] {
  const isMigrated = handle.prepare("select 1 from sqlite_schema where name = 'ph_schema_migration'").get();
  if (isMigrated === undefined) return [];
  return handle.prepare('select version from ph_schema_migration').pluck().all() as number[];
}

/** A handle as what migrations are applied to. It must hold the write lock. */
export function createMigrationTarget(handle: Database): MigrationTarget {
  return {
    appliedVersions: async () => {
      handle.exec(
        `create table if not exists ph_schema_migration (
           version integer not null primary key,
           name text not null,
           applied_at integer not null
         ) strict`,
      );
      return appliedVersions(handle);
    },
    apply: async ({ version, name, sql }, at) => {
      handle.exec(sql);
      handle.prepare('insert into ph_schema_migration values (?, ?, ?)').run(version, name, at);
    },
  };
}
