import { type Migration, readMigrations } from '@partner-hiring/storage-kysely';

/** The package's own migrations. They lie beside `src` and, when it is built, beside `dist`. */
export function postgresMigrations(): readonly Migration[] {
  const folder = place === undefined ? null : new URL('../migrations/', import.meta.url);
  return readMigrations('@partner-hiring/postgres', folder);
}

/** Where this code lies. A bundle in CommonJS does not know. */
const place: string | undefined = import.meta.url;

/** Records the migrations that were applied. */
export const CREATE_MIGRATION_TABLE = `create table if not exists ph_schema_migration (
  version            integer  not null primary key,
  name               text     not null,
  applied_at         bigint   not null,
  -- The oldest migration whose release may run on this schema; null if no older release may.
  oldest_compatible  integer
);`;

/** The first releases made that table without this column. */
export const EXTEND_MIGRATION_TABLE =
  'alter table ph_schema_migration add column if not exists oldest_compatible integer;';

/**
 * Lets one process at a time change the schema, for each database: the lock ends with the transaction, so a pooler may
 * stand between. Without it, `create … if not exists` still fails when two do it at the same moment.
 */
export const LOCK_MIGRATIONS = `select pg_advisory_xact_lock(${0x70685f6d});`;
