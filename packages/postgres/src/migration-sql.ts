import {
  checkStorageOptionNames,
  type Migration,
  type StorageOptionNames,
  storageMisconfiguration,
} from '@partner-hiring/storage-kysely';
import { readConcurrentStep, sqlForNewTables } from './concurrent-index.js';
import { LOCK_MIGRATIONS } from './migration-lock.js';
import { CREATE_MIGRATIONS, postgresMigrations } from './migrations.js';
import { quotedRole, quotedSchema } from './schema-name.js';
import { type PostgresSchemas, readSchemas } from './schemas.js';

/**
 * Splits the SQL of a migration into its statements, without comments. Citus applies a statement's text to the shards,
 * so a text with several statements fails. Migrations have no text with `--` or `;` in quotes.
 */
export function splitStatements(sql: string): readonly string[] {
  return sql
    .replace(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

/** The options of {@link postgresMigrationSql}. */
export interface PostgresMigrationSqlOptions extends PostgresSchemas {
  /** The number of the newest migration in the database. 0, the default, means that there are no tables. */
  readonly from?: number | undefined;
  /** The role that uses the tables but may not create any. The script grants it the rights. */
  readonly grantTo?: string | undefined;
}

const OPTIONS: StorageOptionNames<PostgresMigrationSqlOptions> = {
  schema: true,
  schemas: true,
  from: true,
  grantTo: true,
};

/**
 * Returns the migrations as one SQL script for a database administrator. Afterwards, open the storage with
 * `migrate: 'never'`. On tables in use, the script builds indexes concurrently after its transaction. Run it
 * with a client that sends one statement at a time, such as `psql`. With several schemas, `from` must be the same in all.
 * @example
 * ```ts
 * await writeFile('partner-hiring.sql', postgresMigrationSql({ grantTo: 'app' }));
 * ```
 * @throws OperatorError `MISCONFIGURED` for an unknown option, an invalid `from` or an invalid name.
 */
export function postgresMigrationSql(options: PostgresMigrationSqlOptions = {}): string {
  checkStorageOptionNames('postgresMigrationSql', options, OPTIONS);
  return writeMigrationSql(postgresMigrations(), options);
}

export function writeMigrationSql(
  migrations: readonly Migration[],
  { schema, schemas, from = 0, grantTo }: PostgresMigrationSqlOptions,
): string {
  const given = {
    ...(schema === undefined ? {} : { schema }),
    ...(schemas === undefined ? {} : { schemas }),
  };
  return readSchemas(given)
    .map((each) => writeScript(migrations, each, { from, grantTo }))
    .join('\n');
}

function writeScript(
  migrations: readonly Migration[],
  schema: string,
  { from, grantTo }: { readonly from: number; readonly grantTo: string | undefined },
): string {
  if (!Number.isSafeInteger(from) || from < 0) {
    throw storageMisconfiguration('`from` must be the number of a migration, or 0 for all of them.');
  }
  const quoted = quotedSchema(schema);
  const steps = migrations.filter(({ version }) => version > from);
  const firstConcurrent = from === 0 ? -1 : steps.findIndex(({ isConcurrent }) => isConcurrent);
  const [together, alone] =
    firstConcurrent === -1 ? [steps, []] : [steps.slice(0, firstConcurrent), steps.slice(firstConcurrent)];
  const script = [
    'begin;',
    LOCK_MIGRATIONS,
    // The lock timeout is short, because requests queue behind a waiting lock. If it expires, run the script again.
    ...(from === 0 ? [] : [SHORT_LOCKS]),
    `create schema if not exists ${quoted};`,
    `set local search_path = ${quoted};`,
    CREATE_MIGRATIONS,
    ...together.flatMap((step) => [textOf(step, from), record('ph_schema_migration', step)]),
    ...(grantTo === undefined ? [] : grants(quoted, quotedRole(grantTo))),
    'commit;',
    ...alone.flatMap((step) => separately(step, schema)),
  ];
  return `${script.join('\n\n')}\n`;
}

function textOf(step: Migration, from: number): string {
  return (from === 0 ? sqlForNewTables(step) : step.sql).trimEnd();
}

const SHORT_LOCKS = "set local lock_timeout = '1s';";

function record(table: string, { version, name, oldestCompatible }: Migration): string {
  return (
    `insert into ${table} (version, name, applied_at, oldest_compatible) values ` +
    `(${version}, '${name}', pg_catalog.floor(extract(epoch from pg_catalog.now()) * 1000::numeric), ${oldestCompatible ?? 'null'});`
  );
}

function separately(step: Migration, schema: string): readonly string[] {
  const quoted = quotedSchema(schema);
  const table = `${quoted}.ph_schema_migration`;
  // Some clients continue after an error. This check keeps them from recording a step if the step before it is missing.
  const follows = `do $$ begin
  if not exists (select from ${table} where version = ${step.version - 1}) then
    raise exception 'Migration ${step.version} was not run, because migration ${step.version - 1} is missing. Run the script again.';
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
