import { OperatorError } from '@partner-hiring/core';
import { checkOptionNames, type Migration, type OptionNames } from '@partner-hiring/storage-kysely';
import { readConcurrentStep } from './concurrent-index.js';
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
 * An index that is built concurrently cannot be built in a transaction. If `from` leaves such a step to be done, the
 * script has it outside, and must be run by a client that sends one statement at a time, as `psql` does.
 *
 * @throws OperatorError `MISCONFIGURED` for an option that does not exist, a `from` that is no version, or a name that PostgreSQL does not take.
 */
export function postgresMigrationSql(options: PostgresMigrationSqlOptions = {}): string {
  checkOptionNames('postgresMigrationSql', options, OPTIONS);
  return writeMigrationSql(postgresMigrations(), options);
}

/** The same of other migrations than the package's own. */
export function writeMigrationSql(
  migrations: readonly Migration[],
  { schema = DEFAULT_SCHEMA, from = 0, grantTo }: PostgresMigrationSqlOptions,
): string {
  if (!Number.isSafeInteger(from) || from < 0) {
    throw new OperatorError(
      'MISCONFIGURED',
      '`from` must be the number of a migration, or 0 for all of them.',
    );
  }
  const quoted = quotedSchema(schema);
  const steps = migrations.filter(({ version }) => version > from);
  const firstConcurrent = steps.findIndex(({ isConcurrent }) => isConcurrent);
  const [together, alone] =
    firstConcurrent === -1 ? [steps, []] : [steps.slice(0, firstConcurrent), steps.slice(firstConcurrent)];
  const script = [
    'begin;',
    LOCK_MIGRATIONS,
    // Behind a lock that does not come, requests would queue. If it fails, run the script again.
    ...(from === 0 ? [] : [SHORT_LOCKS]),
    `create schema if not exists ${quoted};`,
    `set local search_path = ${quoted};`,
    CREATE_MIGRATION_TABLE,
    ...(from === 0 ? [] : [EXTEND_MIGRATION_TABLE]),
    ...together.flatMap((step) => [step.sql.trimEnd(), record('ph_schema_migration', step)]),
    ...(grantTo === undefined ? [] : grants(quoted, quotedRole(grantTo))),
    'commit;',
    ...alone.flatMap((step) => byItself(step, schema)),
  ];
  return `${script.join('\n\n')}\n`;
}

const SHORT_LOCKS = "set local lock_timeout = '1s';";

function record(table: string, { version, name, oldestCompatible }: Migration): string {
  return (
    `insert into ${table} (version, name, applied_at, oldest_compatible) values ` +
    `(${version}, '${name}', floor(extract(epoch from now()) * 1000), ${oldestCompatible ?? 'null'});`
  );
}

/** A step behind the first that runs outside a transaction. It runs only if the step before it was applied. */
function byItself(step: Migration, schema: string): readonly string[] {
  const quoted = quotedSchema(schema);
  const table = `${quoted}.ph_schema_migration`;
  // A script that goes on behind an error must not record what lacks the step before.
  const follows = `do $$ begin
  if not exists (select from ${table} where version = ${step.version - 1}) then
    raise exception 'Migration ${step.version} was not run: migration ${step.version - 1} is missing. Run the script again.';
  end if;
end $$;`;
  if (!step.isConcurrent) {
    const sql = [SHORT_LOCKS, `set local search_path = ${quoted};`, follows, step.sql.trimEnd()];
    return ['begin;', LOCK_MIGRATIONS, ...sql, record(table, step), 'commit;'];
  }
  const { build, drop } = readConcurrentStep(step, schema);
  return [
    `${drop};`,
    ...(build === null ? [] : [`${build};`]),
    'begin;',
    follows,
    record(table, step),
    'commit;',
  ];
}

function grants(schema: string, role: string): readonly string[] {
  return [
    `grant usage on schema ${schema} to ${role};`,
    `grant select, insert, update, delete on all tables in schema ${schema} to ${role};`,
  ];
}
