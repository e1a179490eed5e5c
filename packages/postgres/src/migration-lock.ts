import { type OperatorError, StorageUnavailable } from '@partner-hiring/core';
import { storageMisconfiguration } from '@partner-hiring/storage-kysely';
import type { ServerConnection } from './connection.js';
import { fromPostgresError, isContention, isForbidden, isOfServer } from './errors.js';
import type { Place } from './outages/place.js';
import type { PoolConnections } from './pool.js';
import { retryContention } from './retry.js';
import { quotedSchema } from './schema-name.js';
import { refusalOfStatementMode } from './server-settings.js';

/** The letters `ph_m`. */
const KEY = 0x70685f6d;

/**
 * Serializes the migrations of a database, because concurrent `create … if not exists` statements can fail. A
 * transaction-level lock also works behind a pooler.
 */
export const LOCK_MIGRATIONS = `select pg_catalog.pg_advisory_xact_lock(${KEY});`;

const HOLDER = `select a.pid::text as pid, a.usename::text as role, a.application_name as application
from pg_locks l join pg_stat_activity a on a.pid = l.pid
where l.locktype = 'advisory' and l.granted and a.datname = pg_catalog.current_database()
  and l.database = a.datid and l.classid = 0::oid and l.objid = ${KEY}::oid and l.objsubid = 1::smallint
limit 1`;

interface Holder {
  readonly pid: string;
  readonly role: string | null;
  readonly application: string;
}

/** The pauses between attempts, in which queued requests can run. */
export const BETWEEN_TRIES = { firstWaitMs: 500, longestWaitMs: 2_000 };

/**
 * Retries a step that takes {@link LOCK_MIGRATIONS} while others hold its locks.
 * @throws StorageUnavailable that names the holder, if another session holds the shared lock at the end.
 */
export async function untilFree(
  connections: PoolConnections,
  waitMs: number,
  step: () => Promise<void>,
): Promise<void> {
  try {
    await retryContention(step, { ...BETWEEN_TRIES, timeoutMs: waitMs });
  } catch (error) {
    const holder = isContention(error) ? await connections.lend(findHolder).catch(() => null) : null;
    throw holder === null ? error : new StorageUnavailable(describe(holder), { cause: error });
  }
}

async function findHolder(connection: ServerConnection): Promise<Holder | null> {
  const { rows } = await connection.statement(HOLDER, []);
  return (rows as readonly Holder[])[0] ?? null;
}

function describe({ pid, role, application }: Holder): string {
  const name =
    application === '' ? 'without an application name' : `application ${JSON.stringify(application)}`;
  return (
    `Timed out waiting for the advisory lock ${KEY}, which all migrations of a database share. The process ${pid} of the role ` +
    `${JSON.stringify(role ?? 'unknown')} (${name}) holds it. If this is no migration, have an administrator run ` +
    `\`select pg_terminate_backend(${pid})\`. Then migrate again.`
  );
}

/** Converts errors that the host must fix to `OperatorError`, and outages to `StorageUnavailable`. */
export function toRefusal(schema: string, error: unknown, place: Place): unknown {
  if (isForbidden(error)) return refusal(forbidden(schema), error);
  const ofPooler = refusalOfStatementMode(error);
  if (ofPooler !== null) return ofPooler;
  const translated = fromPostgresError(error, { place });
  return isOfServer(translated) ? refusal(refused(schema), translated) : translated;
}

function refusal(message: string, cause: unknown): OperatorError {
  const error = storageMisconfiguration(message);
  error.cause = cause;
  return error;
}

const RUN_THE_SQL =
  'have an administrator run the SQL of postgresMigrationSql({ schema, from, grantTo: role })';

function forbidden(schema: string): string {
  return (
    `The role may not read or create the tables in the schema ${quotedSchema(schema)}. To fix this, ${RUN_THE_SQL}. ` +
    'Set `from` to the highest version in `ph_schema_migration`, or to 0 if there are no tables.'
  );
}

function refused(schema: string): string {
  return (
    `The database refused a migration of the schema ${quotedSchema(schema)}; see this error's cause. ` +
    'The failed step changed nothing. ' +
    'If an event trigger or a policy refused the step, disable it during the migration, or ' +
    `${RUN_THE_SQL}.`
  );
}
