import { OperatorError, StorageUnavailable } from '@partner-hiring/core';
import type { DatabaseError } from 'pg';
import { wordsFor } from './outage-words.js';

/** Safe to retry as a whole transaction. */
export function isContention(error: unknown): boolean {
  return CONTENTION.has(sqlState(error) ?? '');
}

/** A newer release changed a prepared statement's tables. Safe to retry. The code alone is too generic. */
export function isOutdated(error: unknown): boolean {
  return sqlState(error) === '0A000' && (error as DatabaseError).routine === 'RevalidateCachedQuery';
}

/** The prepared statement is missing or its name is taken. Safe to retry under a new name. */
export function isUnprepared(error: unknown): boolean {
  return ['26000', '42P05'].includes(sqlState(error) ?? '');
}

export const UNPREPARED =
  'A prepared statement is missing on its PostgreSQL connection, or its name is taken. Either a pooler does not support ' +
  'prepared statements, or something ran `discard all` or `deallocate`. Open the storage with ' +
  '`preparedStatements: false`. Until you do, such statements fail and are retried.';

/** A hot standby rejected a read-write transaction. The code is generic; no other setting fails this way. */
function isOfStandby(error: unknown): boolean {
  return sqlState(error) === '0A000' && (error as DatabaseError).routine === 'call_bool_check_hook';
}

/** Only a failed assertion divides by zero. */
export function isDivisionByZero(error: unknown): boolean {
  return sqlState(error) === '22012';
}

/** An earlier statement of the transaction failed; its error has the reason. */
export function isAborted(error: unknown): boolean {
  return sqlState(error) === '25P02';
}

/** The server ended an idle transaction before it received the statement. */
export function isIdledOut(error: unknown): boolean {
  return sqlState(error) === '25P03';
}

/** Excludes row level security policies, which reject single rows with the same code. */
export function isForbidden(error: unknown): boolean {
  return sqlState(error) === '42501' && (error as DatabaseError).routine !== 'ExecWithCheckOptions';
}

export function isOfServer(error: unknown): error is DatabaseError {
  return sqlState(error) !== null;
}

/** Excludes policies and triggers, which may reject only one request of a batch. */
function isRightMissing(error: unknown): boolean {
  return isForbidden(error) && (error as DatabaseError).routine?.startsWith('aclcheck_error') === true;
}

export function isMissing(error: unknown): boolean {
  return ['42P01', '42703', '3F000'].includes(sqlState(error) ?? '');
}

/** Whether to discard the connection. After a timeout, the next result would answer the earlier statement. */
export function breaksConnection(error: unknown): boolean {
  const state = sqlState(error);
  return state === null || ENDED.test(state) || isOfStandby(error);
}

/** The server accepts no writes, so nothing was written. */
export function isReadOnly(error: unknown): boolean {
  return sqlState(error) === '25006';
}

/** The server may still be running the statement. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

/** Converts outages to `StorageUnavailable`. Other errors lose rows' details, which are personal data. */
export function toStorageError(error: unknown): unknown {
  if (error instanceof StorageUnavailable || error instanceof OperatorError) return error;
  const state = sqlState(error);
  if (state !== null) {
    withoutRows(error as object);
    if (isContention(error)) {
      return new StorageUnavailable('Another transaction holds what this one needs.', { cause: error });
    }
    if (isOutdated(error)) {
      return new StorageUnavailable('A newer release has changed the tables meanwhile. Begin again.', {
        cause: error,
      });
    }
    if (isUnprepared(error)) return new StorageUnavailable(UNPREPARED, { cause: error });
    if (isRightMissing(error)) return new StorageUnavailable(RIGHTS_ARE_GONE, { cause: error });
    if (isMissing(error) || state === NO_UNIQUE_INDEX)
      return new StorageUnavailable(TABLES_ARE_GONE, { cause: error });
    return OUTAGES.test(state) || isOfStandby(error) ? unavailable(error) : error;
  }
  return isFromNetwork(error) ? unavailable(error) : error;
}

/** The constraint that an `on conflict` needs was dropped. */
const NO_UNIQUE_INDEX = '42P10';

const RIGHTS_ARE_GONE =
  'The role may not use the tables any more. Run the SQL of postgresMigrationSql({ schema, from, grantTo: role }), ' +
  'where `from` is the highest version in `ph_schema_migration`, or grant what it grants.';

const TABLES_ARE_GONE =
  'The tables are not in this database, or not as this version needs them. Bring the schema back under its name; ' +
  'where an older backup was restored, run migratePostgres or open the storage anew. A transaction of yours must be ' +
  'one in the database that the storage has.';

export function unavailable(error: unknown): StorageUnavailable {
  if (error instanceof StorageUnavailable) return error;
  const words = wordsFor(sqlState(error), error instanceof Error ? error.message : '');
  return new StorageUnavailable(words, { cause: error });
}

export function outcomeUnknown(error: unknown): StorageUnavailable {
  if (sqlState(error) !== null) withoutRows(error as object);
  return new StorageUnavailable('The connection was lost during the commit: its outcome is unknown.', {
    cause: error,
    mayBeDone: true,
  });
}

/** A failover may lose the commit. */
export function unconfirmed(): StorageUnavailable {
  return new StorageUnavailable(
    'PostgreSQL committed without waiting for its synchronous standby, because the wait was cancelled. A failover may lose ' +
      'the commit: its outcome is unknown. Bring the standby back, and cancel no commit that waits for it.',
    { mayBeDone: true },
  );
}

export function standbyAwaited(): StorageUnavailable {
  return new StorageUnavailable(`${STANDBY_IS_LOST} The outcome of this commit is unknown.`, {
    mayBeDone: true,
  });
}

export function standbyLost(): StorageUnavailable {
  return new StorageUnavailable(STANDBY_IS_LOST);
}

const STANDBY_IS_LOST =
  'The synchronous standby of PostgreSQL does not answer, so commits wait. Writing goes on by itself once it does, or once ' +
  'you take it out of `synchronous_standby_names` and run `select pg_reload_conf()`. Do not cancel the waiting commits: ' +
  'PostgreSQL would then commit without the standby.';

function sqlState(error: unknown): string | null {
  if (!(error instanceof Error) || !('severity' in error) || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}

/** Serialisation failure, deadlock, lock timeout. */
const CONTENTION: ReadonlySet<string> = new Set(['40001', '40P01', '55P03']);

/** Connections, resources, operator intervention, idle transactions, broken storage. */
const OUTAGES = /^(?:08|53|57|58|XX|25P03|25P04|25006|28)/;

/** The server ends the connection, or accepts no more writes on it, for example after a failover. */
const ENDED = /^(?:08|57P|25P03|25P04|25006|XX)/;

/** `pg` gives its own errors no code. */
function isFromNetwork(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return 'code' in error ? typeof error.code === 'string' : CLIENT_MESSAGES.test(error.message);
}

const CLIENT_MESSAGES =
  /^(?:Connection terminated|Query read timeout|timeout exceeded|Client (?:has encountered|was closed)|Cannot use a pool)/;

/** These fields quote rows and parameters. */
function withoutRows(error: object): void {
  for (const quoting of ['detail', 'where', 'internalQuery', 'hint']) Reflect.deleteProperty(error, quoting);
}
