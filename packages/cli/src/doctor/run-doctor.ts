import type { PostgresReader } from '@partner-hiring/postgres';
import { createRedactor } from '../connection/redact.js';
import type { CheckInput, DoctorCheck, FileSystem } from './check.js';
import { CHECK_NAMES, CHECKS_OF_EACH_SCHEMA, DATABASE_CHECKS } from './check-list.js';
import { checkAnswer, checkPath } from './checks/database.js';
import {
  checkNode,
  checkPackages,
  checkProxy,
  installedVersions,
  type PackageVersions,
} from './checks/settings.js';
import { readFileSystem } from './checks/sqlite-file.js';
import {
  type DatabaseAddress,
  placeOfAddress,
  type ResolvedAddress,
  resolveAddress,
} from './database/address.js';
import { explainError } from './database/explain-error.js';
import {
  type DoctorDatabase,
  type OpenedStorage,
  openDoctorDatabase,
  openStorage,
} from './database/open-database.js';
import { DOCTOR_LIMITS, type DoctorLimits } from './limits.js';
import { type DoctorReport, type DoctorResult, type Finding, skippedCheck } from './report.js';

/** What the doctor looks at. */
export interface DoctorContext {
  /** A PostgreSQL URL, or the path of a SQLite file. */
  readonly database: string | DatabaseAddress;
  /** The schema of the tables on PostgreSQL. Default `partner_hiring`. */
  readonly schema?: string | undefined;
  /** The sealing key of the processes. Without it, the check `sealing-key` warns, or is skipped if no endpoint has a secret. */
  readonly secretKey?: string | Uint8Array | undefined;
  /** The option `deployment` of the processes. */
  readonly deployment?: string | undefined;
  /**
   * Whether the processes have the option `proxy: { resolve: 'proxy' }`. If so, the report names the check that this
   * option turns off.
   */
  readonly proxyResolves?: boolean | undefined;
  /** Whether the processes open the storage with `preparedStatements: false`. If so, any pooler in transaction mode works. */
  readonly preparedStatements?: boolean | undefined;
  /**
   * The names of checks to leave out, such as `schema` if the role may not create temporary tables. The report shows them
   * as skipped.
   */
  readonly skip?: readonly string[] | undefined;
  /** How long a check may take, in milliseconds. Default 5000. */
  readonly timeoutMs?: number | undefined;
  /** Replaces some of the limits from which a check warns or fails. */
  readonly limits?: { readonly [Name in keyof DoctorLimits]?: DoctorLimits[Name] | undefined } | undefined;
  /** Replaces the machine's clock. For tests. */
  readonly now?: (() => number) | undefined;
  /** Replaces the version of Node. For tests. */
  readonly nodeVersion?: string | undefined;
  /** Replaces the versions of the packages. For tests. */
  readonly versions?: PackageVersions | undefined;
  /** Replaces what is read about a disk. For tests. */
  readonly fileSystem?: ((file: string) => FileSystem | Promise<FileSystem>) | undefined;
}

const CHECK_MS = 5_000;
/**
 * After this time in milliseconds, the remaining checks are skipped, so that a deploy does not wait for a hanging
 * database.
 */
const DOCTOR_MS = 60_000;

/**
 * Checks the settings and the database. Only reads, and reads little of a large database. Problems with
 * the database do not reject: they are in the report.
 * @throws RangeError if `skip` has a name that no check has.
 * @example
 * ```ts
 * const report = await runDoctor({ database: process.env.DATABASE_URL ?? '' });
 * console.log(doctorText(report));
 * process.exitCode = doctorExitCode(report);
 * ```
 */
export async function runDoctor(context: DoctorContext): Promise<DoctorReport> {
  const unknown = context.skip?.find((name) => !CHECK_NAMES.includes(name));
  if (unknown !== undefined) throw new RangeError(`\`skip\` may name only: ${CHECK_NAMES.join(', ')}.`);
  return runChecks(context, DATABASE_CHECKS);
}

/**
 * Runs the given checks, and those that always come first. On further schemas, runs only the checks that each schema
 * needs.
 */
export async function runChecks(
  context: DoctorContext,
  given: readonly DoctorCheck[],
): Promise<DoctorReport> {
  const { database } = context;
  const isPostgres = typeof database === 'object' && database.kind === 'postgres';
  if (!isPostgres || database.schemas === undefined) return checkSchema(context, given);
  const checks: DoctorResult[] = [];
  const ofEach = given.filter(({ name }) => CHECKS_OF_EACH_SCHEMA.has(name));
  for (const [index, schema] of database.schemas.entries()) {
    const asked = index === 0 ? given : ofEach;
    const report = await checkSchema({ ...context, database: { ...database, schema } }, asked);
    if (index === 0) checks.push(...report.checks);
    else {
      const ofSchema = report.checks.filter(({ name }) => CHECKS_OF_EACH_SCHEMA.has(name));
      checks.push(...ofSchema.map((check) => ({ ...check, name: `${check.name} of ${schema}` })));
    }
  }
  return { checks };
}

async function checkSchema(context: DoctorContext, given: readonly DoctorCheck[]): Promise<DoctorReport> {
  const address = resolveAddress(context.database, context.schema);
  const timeoutMs = context.timeoutMs ?? CHECK_MS;
  const opened: DoctorDatabase[] = [];
  const explain = (error: unknown) => {
    const [database] = opened;
    return database?.kind === 'postgres' ? database.reader.explain(error) : null;
  };
  const run = createRunner(address, timeoutMs, explain, new Set(context.skip));
  const checks: DoctorResult[] = [];
  const versions = context.versions ?? installedVersions(address);
  checks.push(await run('node', () => checkNode(context.nodeVersion ?? process.versions.node)));
  checks.push(await run('packages', () => checkPackages(versions)));
  if (context.proxyResolves === true) checks.push(await run('proxy', checkProxy));

  const answer = await run('database', async () => {
    const refusal = checkPath(address);
    if (refusal !== null) return refusal;
    const database = await openDoctorDatabase(address, timeoutMs);
    opened.push(database);
    return checkAnswer(address, database);
  });
  checks.push(answer);
  const [database] = opened;
  const input = database === undefined ? null : toInput(context, address, database);
  try {
    const ofKind = given.filter(({ on }) => on === 'both' || on === address.kind);
    const deadline = performance.now() + DOCTOR_MS;
    for (const check of ofKind) {
      const reason = reasonToSkip(check, checks, performance.now() > deadline);
      const isPossible = reason === null && input !== null;
      const work = isPossible ? () => check.run(input) : () => skippedCheck(reason ?? BEHIND('database'));
      checks.push(await run(check.name, work));
    }
  } finally {
    await within(input?.close() ?? Promise.resolve(), timeoutMs).catch(() => {});
  }
  return { checks };
}

const BEHIND = (name: string) => `Not checked, because the check \`${name}\` did not succeed.`;

function reasonToSkip(
  { needs }: DoctorCheck,
  results: readonly DoctorResult[],
  isTooLate: boolean,
): string | null {
  if (isTooLate) return `Not checked, because the doctor has run for ${DOCTOR_MS / 1_000} seconds.`;
  const isBehind = ({ name, state, isAsked = false }: DoctorResult) =>
    (name === 'database' || needs.includes(name)) &&
    (state === 'failed' || (state === 'skipped' && !isAsked));
  const behind = results.find(isBehind);
  return behind === undefined ? null : BEHIND(behind.name);
}

/** Returns the limits: the default of each that is not given. */
function limitsOf(given: NonNullable<DoctorContext['limits']>): DoctorLimits {
  const replaced = Object.entries(given).filter(([, limit]) => limit !== undefined);
  return { ...DOCTOR_LIMITS, ...Object.fromEntries(replaced) };
}

function toInput(
  context: DoctorContext,
  address: ResolvedAddress,
  database: DoctorDatabase,
): CheckInput & { close(): Promise<void> } {
  const {
    secretKey = null,
    deployment = null,
    preparedStatements = true,
    now = Date.now,
    fileSystem = readFileSystem,
  } = context;
  let opening: Promise<OpenedStorage> | null = null;
  return {
    address,
    database,
    secretKey: secretKey === '' ? null : secretKey,
    deployment,
    preparedStatements,
    limits: limitsOf(context.limits ?? {}),
    now,
    fileSystem,
    storageNow: async () => {
      if (database.kind === 'sqlite') return now();
      const [row] = await database.rows<{ now: number }>(
        'select pg_catalog.floor(extract(epoch from pg_catalog.clock_timestamp()) * 1000::numeric)::bigint as now',
      );
      return row?.now ?? now();
    },
    storage: () => {
      opening ??= openStorage(address, database, context.timeoutMs ?? CHECK_MS);
      return opening;
    },
    close: async () => {
      // An error of the opening is the finding of the check `storage`.
      const storage = await opening?.catch(() => null);
      await storage?.close();
      await database.close();
    },
  };
}

type RunCheck = (name: string, work: () => Finding | Promise<Finding>) => Promise<DoctorResult>;

/** Returns a function that turns errors and timeouts of a check into its result. It leaves out the checks in `skip`. */
function createRunner(
  address: ResolvedAddress,
  timeoutMs: number,
  explain: PostgresReader['explain'],
  skip: ReadonlySet<string>,
): RunCheck {
  const redact =
    address.kind === 'postgres' ? createRedactor(address.connectionString) : (text: string) => text;
  const place = placeOfAddress(address);
  return async (name, work) => {
    if (skip.has(name)) return { name, ...skippedCheck('Left out by its name.'), isAsked: true };
    try {
      // The database has the same timeout for each statement; this one is for checks with several.
      return { name, ...(await within(Promise.resolve().then(work), 2 * timeoutMs)) };
    } catch (error) {
      return { name, ...explainError(error, { place, redact, explain }) };
    }
  };
}

async function within<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The check did not answer in time.')), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    work.catch(() => {});
  }
}
