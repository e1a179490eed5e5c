import { OperatorError } from '@partner-hiring/core';
import { loadPostgres, loadSqlite } from '../connection/load-storage.js';
import { type DatabaseAddress, placeOfAddress, resolveAddress } from '../doctor/database/address.js';
import { describePostgresStep, type StepEffect } from './describe-step.js';

/** `apply` runs the missing migrations, `dry-run` only lists them, `sql` prints them for an administrator. */
export type MigrateMode = 'apply' | 'dry-run' | 'sql';

/** What to migrate, and how. */
export interface MigrateOptions {
  /** A PostgreSQL URL, or the path of a SQLite file. */
  readonly database: string | DatabaseAddress;
  /** The schema of the tables on PostgreSQL. Default `partner_hiring`. */
  readonly schema?: string | undefined;
  /** Default `apply`. */
  readonly mode?: MigrateMode | undefined;
  /** With `sql` on PostgreSQL: the role that uses the tables. The script grants it the rights. */
  readonly grantTo?: string | undefined;
}

/** A missing migration. */
export interface PlannedMigration extends StepEffect {
  readonly version: number;
  readonly name: string;
}

/** What was done, or is to be done. */
export interface MigrateResult {
  readonly mode: MigrateMode;
  /** The database for people, without its password. */
  readonly place: string;
  /** The missing migrations in order. After `apply`, those that were applied. */
  readonly steps: readonly PlannedMigration[];
  /** The script of `sql`; otherwise null. */
  readonly sql: string | null;
}

/**
 * Migrates the tables of a PostgreSQL or SQLite database, or tells which steps are missing. Only the mode `apply`
 * writes.
 * @example
 * ```ts
 * const plan = await runMigrate({ database: process.env.DATABASE_URL ?? '', mode: 'dry-run' });
 * console.log(migrateText(plan));
 * ```
 * @throws OperatorError `MISCONFIGURED` if an option is invalid, a right is missing, or a newer, incompatible
 *   release has migrated the database.
 * @throws StorageUnavailable if the database is unreachable, or stays locked.
 */
export async function runMigrate(options: MigrateOptions): Promise<MigrateResult> {
  const address = resolveAddress(options.database, options.schema);
  if (address.kind === 'refused') throw new OperatorError('MISCONFIGURED', address.problem);
  const { mode = 'apply' } = options;
  const place = placeOfAddress(address);
  if (address.kind === 'sqlite') return { mode, place, ...(await migrateFile(address.file, mode)) };
  const { connectionString, schema } = address;
  const schemas = schemasOf(options.database) ?? [schema];
  return { mode, place, ...(await migrateServer({ connectionString, schemas }, mode, options.grantTo)) };
}

function schemasOf(database: MigrateOptions['database']): readonly string[] | undefined {
  return typeof database === 'object' && database.kind === 'postgres' ? database.schemas : undefined;
}

type Done = Pick<MigrateResult, 'steps' | 'sql'>;

async function migrateFile(file: string, mode: MigrateMode): Promise<Done> {
  const { migrateSqlite, sqliteMigrationSql } = await loadSqlite();
  const missing = await migrateSqlite({ file, dryRun: mode !== 'apply' });
  const steps = missing.map(({ version, name }) => ({ version, name, ...OF_FILE }));
  return { steps, sql: mode === 'sql' ? sqliteMigrationSql({ file }) : null };
}

/** All steps of a file share one transaction. */
const OF_FILE: StepEffect = { isOnline: false, effect: 'writers wait until all steps are committed' };

async function migrateServer(
  target: { readonly connectionString: string; readonly schemas: readonly string[] },
  mode: MigrateMode,
  grantTo: string | undefined,
): Promise<Done> {
  const { listPostgresMigrations, migratePostgres, postgresMigrationSql } = await loadPostgres();
  const missing = await migratePostgres({ ...target, pipeline: false, dryRun: mode !== 'apply' });
  const isNew = missing.length === listPostgresMigrations().length;
  const steps = missing.map(({ version, name, sql }) => ({
    version,
    name,
    ...(isNew ? OF_NEW_TABLES : describePostgresStep(sql)),
  }));
  if (mode !== 'sql') return { steps, sql: null };
  if (missing.length === 0 && grantTo === undefined) return { steps, sql: NOTHING };
  const from = listPostgresMigrations()
    .filter(({ version }) => !missing.some((each) => each.version === version))
    .reduce((highest, { version }) => Math.max(highest, version), 0);
  const { schemas } = target;
  return {
    steps,
    sql: postgresMigrationSql({ schemas, from, grantTo }),
  };
}

const OF_NEW_TABLES: StepEffect = { isOnline: true, effect: 'creates new tables, which are not in use' };

const NOTHING = '-- No migration is missing.\n';

/** Returns the result as text for people; in the mode `sql`, the script itself. Without the last line break. */
export function migrateText({ mode, place, steps, sql }: MigrateResult): string {
  if (sql !== null) return sql.trimEnd();
  if (steps.length === 0) return `${place}: no migration is missing.`;
  const count = `${steps.length} ${steps.length === 1 ? 'migration' : 'migrations'}`;
  const title = mode === 'apply' ? `${place}: applied ${count}.` : `${place}: ${count} missing.`;
  const width = Math.max(...steps.map(({ name }) => name.length));
  const lines = steps.map(({ version, name, isOnline, effect }) => {
    const number = String(version).padStart(VERSION_WIDTH, '0');
    return `${number}  ${name.padEnd(width)}  ${isOnline ? 'online' : 'locks '}  ${effect}`;
  });
  return [title, ...lines].join('\n');
}

/** As in the names of the files. */
const VERSION_WIDTH = 4;
