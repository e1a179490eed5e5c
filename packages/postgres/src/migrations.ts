import {
  type AppliedMigration,
  type Migration,
  type MigrationRow,
  readMigrations,
  toAppliedMigration,
} from '@partner-hiring/storage-kysely';
import type { ServerConnection } from './connection.js';
import { isMissing } from './errors.js';
import { quotedSchema } from './schema-name.js';

export function postgresMigrations(): readonly Migration[] {
  const folder = moduleUrl === undefined ? null : new URL('../migrations/', import.meta.url);
  return readMigrations('@partner-hiring/postgres', folder);
}

/** The URL of this module. Undefined in a CommonJS bundle. */
const moduleUrl: string | undefined = import.meta.url;

export const CREATE_MIGRATIONS = `create table if not exists ph_schema_migration (
  version            integer  not null primary key,
  name               text     not null,
  applied_at         bigint   not null,
  -- The oldest migration whose release may run on this schema; null if no older release may.
  oldest_compatible  integer
);`;

/** Returns the applied migrations; none if there are no tables. */
export async function appliedInPostgres(
  connection: ServerConnection,
  schema: string,
): Promise<readonly AppliedMigration[]> {
  const select = `select * from ${quotedSchema(schema)}.ph_schema_migration order by version`;
  try {
    const { rows } = await connection.statement(select, []);
    return (rows as readonly MigrationRow[]).map(toAppliedMigration);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

export async function isApplied(
  connection: ServerConnection,
  schema: string,
  { version }: Migration,
): Promise<boolean> {
  return (await appliedInPostgres(connection, schema)).some((applied) => applied.version === version);
}
