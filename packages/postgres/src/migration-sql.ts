import { OperatorError } from '@partner-hiring/core';
import { checkOptionNames, type OptionNames } from '@partner-hiring/storage-kysely';
import {
  CREATE_MIGRATION_TABLE,
  EXTEND_MIGRATION_TABLE,
  LOCK_MIGRATIONS,
  postgresMigrations,
} from './migrations.js';
import { DEFAULT_SCHEMA, quotedRole, quotedSchema } from './schema-name.js';

/** Which SQL is asked for. */
export interface PostgresMigrationSqlOptions {
  /** Where the tables shall lie. Default `partner_hiring`. */
  readonly schema?: string;
  /** The version that the database has; 0, the default, if it has none. */
  readonly from?: number;
  /** A role that shall use the tables and may not create any. */
  readonly grantTo?: string;
}

const OPTIONS: OptionNames<PostgresMigrationSqlOptions> = { schema: true, from: true, grantTo: true };

/**
 * The migrations as one script for a database administrator to run, e.g. with `psql`, in one transaction. Start
 * the storage with `migrate: 'never'` afterwards, or with any role that may use the tables.
 *
 * @throws OperatorError `MISCONFIGURED` for an option that does not exist, a `from` that is no version, or a name that PostgreSQL does not take.
 */
export function postgresMigrationSql(options: PostgresMigrationSqlOptions = {}): string {
  checkOptionNames('postgresMigrationSql', options, OPTIONS);
  const { schema = DEFAULT_SCHEMA, from = 0, grantTo } = options;
  if (!Number.isSafeInteger(from) || from < 0) {
    throw new OperatorError(
      'MISCONFIGURED',
      '`from` must be the number of a migration, or 0 for all of them.',
    );
  }
  const quoted = quotedSchema(schema);
  const steps = postgresMigrations()
    .filter(({ version }) => version > from)
    .flatMap(({ version, name, sql, oldestCompatible }) => [
      sql.trimEnd(),
      'insert into ph_schema_migration (version, name, applied_at, oldest_compatible) ' +
        `values (${version}, '${name}', floor(extract(epoch from now()) * 1000), ${oldestCompatible ?? 'null'});`,
    ]);
  const script = [
    'begin;',
    LOCK_MIGRATIONS,
    `create schema if not exists ${quoted};`,
    `set local search_path = ${quoted};`,
    CREATE_MIGRATION_TABLE,
    EXTEND_MIGRATION_TABLE,
    ...steps,
    ...(grantTo === undefined ? [] : grants(quoted, quotedRole(grantTo))),
    'commit;',
  ];
  return `${script.join('\n\n')}\n`;
}

function grants(schema: string, role: string): readonly string[] {
  return [
    `grant usage on schema ${schema} to ${role};`,
    `grant select, insert, update, delete on all tables in schema ${schema} to ${role};`,
  ];
}
