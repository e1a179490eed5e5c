import { type Migration, readMigrations } from '@partner-hiring/storage-kysely';

/** The package's own migrations. They lie beside `src` and, when it is built, beside `dist`. */
export function postgresMigrations(): readonly Migration[] {
  const folder = place === undefined ? null : new URL('../migrations/', import.meta.url);
  return readMigrations('@partner-hiring/postgres', folder);
}

/** Where this code lies. A bundle in CommonJS does not know. */
const place: string | undefined = import.meta.url;

/** What records the migrations that were applied. */
export const CREATE_MIGRATION_TABLE = `create table if not exists ph_schema_migration (
  version     integer  not null primary key,
  name        text     not null,
  applied_at  bigint   not null
);`;

/**
 * One process at a time, for each database: the lock ends with the transaction, so a pooler may stand between.
 * Without it, `create … if not exists` still fails when two do it at the same moment.
 */
export const LOCK_MIGRATIONS = `select pg_advisory_xact_lock(${0x70685f6d});`;
