import { type Migration, readMigrations } from '@partner-hiring/storage-kysely';

/** The package's own migrations. They lie beside `src` and, when it is built, beside `dist`. */
export function postgresMigrations(): readonly Migration[] {
  return readMigrations('@partner-hiring/postgres', new URL('../migrations/', import.meta.url));
}

/** What records the migrations that were applied. */
export const CREATE_MIGRATION_TABLE = `create table if not exists ph_schema_migration (
  version     integer  not null primary key,
  name        text     not null,
  applied_at  bigint   not null
);`;
