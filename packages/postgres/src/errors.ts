import { OperatorError, StorageUnavailable } from '@partner-hiring/core';
import { isAnyError } from '@partner-hiring/storage-kysely';
import type { DatabaseError } from 'pg';
import { explainInterrupted, explainUnreachable } from './outages/explain-outage.js';
import type { Explanation } from './outages/explanation.js';
import { type Place, UNKNOWN_PLACE } from './outages/place.js';
import { explainLockTimeout } from './outages/statement-problems.js';

/** Returns whether the transaction conflicted with another one. It is safe to retry the whole transaction. */
export function isContention(error: unknown): boolean {
  return CONTENTION.has(sqlState(error) ?? '');
}

/**
 * Returns whether a newer release has changed the tables of a prepared statement, so that a retry is safe.
 * Compares the routine too, because the code is generic.
 */
export function isOutdated(error: unknown): boolean {
  return sqlState(error) === '0A000' && (error as DatabaseError).routine === 'RevalidateCachedQuery';
}

/** Returns whether a prepared statement is missing or its name is taken. It is safe to retry under a new name. */
export function isUnprepared(error: unknown): boolean {
  return ['26000', '42P05'].includes(sqlState(error) ?? '');
}

export const UNPREPARED =
  'A prepared statement is missing on its PostgreSQL connection, or its name is taken. ' +
  'Either a pooler does not support prepared statements, or something ran `discard all` or `deallocate`. ' +
  'Open the storage with `preparedStatements: false`. ' +
  'As long as prepared statements are on, such statements fail and are retried.';

/**
 * Returns whether a hot standby rejected a read-write transaction. The code is generic, but no other setting
 * of ours fails in this routine.
 */
function isOfStandby(error: unknown): boolean {
  return sqlState(error) === '0A000' && (error as DatabaseError).routine === 'call_bool_check_hook';
}

/** Returns whether an assertion failed, because no other expression divides by zero. */
export function isDivisionByZero(error: unknown): boolean {
  return sqlState(error) === '22012';
}

/** Returns whether a row refers to one that does not exist. */
export function isForeignKeyViolation(error: unknown): boolean {
  return sqlState(error) === '23503';
}

/** Returns whether an earlier statement of the transaction failed. The error of that statement has the reason. */
export function isAborted(error: unknown): boolean {
  return sqlState(error) === '25P02';
}

/** Returns whether the server ended an idle transaction before it received the statement. */
export function isIdledOut(error: unknown): boolean {
  return sqlState(error) === '25P03';
}

/**
 * Returns whether the role lacks a permission. Excludes row level security policies, which reject single rows
 * with the same code.
 */
export function isForbidden(error: unknown): boolean {
  return sqlState(error) === '42501' && (error as DatabaseError).routine !== 'ExecWithCheckOptions';
}

export function isOfServer(error: unknown): error is DatabaseError {
  return sqlState(error) !== null;
}

/**
 * Returns whether the role lacks a permission on a whole object. Excludes errors of policies and triggers, which may
 * reject only one request of a batch.
 */
function isRightMissing(error: unknown): boolean {
  return isForbidden(error) && (error as DatabaseError).routine?.startsWith('aclcheck_error') === true;
}

export function isMissing(error: unknown): boolean {
  return ['42P01', '42703', '3F000'].includes(sqlState(error) ?? '');
}

/**
 * Returns whether to discard the connection after this error. For example after a timeout, the next result on the
 * connection would belong to the earlier statement.
 */
export function breaksConnection(error: unknown): boolean {
  const state = sqlState(error);
  return state === null || ENDED.test(state) || isOfStandby(error);
}

/** Returns whether the server accepts no writes. If so, it wrote nothing. */
export function isReadOnly(error: unknown): boolean {
  return sqlState(error) === '25006';
}

/** Returns whether the result did not arrive in time. The server may still be running the statement. */
export function isUnanswered(error: unknown): boolean {
  return isAnyError(error) && error.message === 'Query read timeout';
}

/**
 * Converts outages to `StorageUnavailable`. From all errors of the server, removes the details that quote
 * rows, because these are personal data.
 * @param place - where the database is, for the message.
 * @param isOfHost - whether the host's own statement failed. It may lack a table or a right that the storage does not use.
 */
export function fromPostgresError(
  error: unknown,
  { place = UNKNOWN_PLACE, isOfHost = false }: { readonly place?: Place; readonly isOfHost?: boolean } = {},
): unknown {
  if (error instanceof StorageUnavailable || error instanceof OperatorError) return error;
  const state = sqlState(error);
  if (state !== null) {
    withoutRows(error as object);
    if (isContention(error)) {
      const words = state === LOCK_TIMEOUT ? explainLockTimeout(place) : HELD;
      return new StorageUnavailable(words, { cause: error, isBusy: true });
    }
    if (isOutdated(error)) {
      return new StorageUnavailable('A newer release has changed the tables. Run the transaction again.', {
        cause: error,
      });
    }
    if (isUnprepared(error)) return new StorageUnavailable(UNPREPARED, { cause: error });
    if (!isOfHost && isRightMissing(error)) return new StorageUnavailable(RIGHTS_ARE_GONE, { cause: error });
    if (!isOfHost && (isMissing(error) || state === NO_UNIQUE_INDEX))
      return new StorageUnavailable(TABLES_ARE_GONE, { cause: error });
    return OUTAGES.test(state) || isOfStandby(error) ? interrupted(error, place) : error;
  }
  return isFromNetwork(error) ? interrupted(error, place) : error;
}

const HELD = 'Another transaction holds what this one needs.';

/** The code of an `on conflict` whose unique constraint was dropped. */
const NO_UNIQUE_INDEX = '42P10';

const RIGHTS_ARE_GONE =
  'The role may not use the tables any more. ' +
  'Run the SQL of postgresMigrationSql({ schema, from, grantTo: role }), which grants the rights again. ' +
  'Set `from` to the highest version in `ph_schema_migration`.';

const TABLES_ARE_GONE =
  'The tables are not in this database, or are not as this version needs them. ' +
  'If the schema was dropped or renamed, bring it back under its name. ' +
  'If an older backup was restored, run migratePostgres or open the storage again. ' +
  'If you passed a transaction of your own, it must be in the same database as the storage.';

/** Returns the error of a call that got no connection. */
export function unreachable(error: unknown, place: Place): StorageUnavailable {
  if (error instanceof StorageUnavailable) return error;
  if (sqlState(error) !== null) withoutRows(error as object);
  return outage(explainUnreachable(error, place), error);
}

function interrupted(error: unknown, place: Place): StorageUnavailable {
  return outage(explainInterrupted(error, place), error);
}

function outage({ finding, fix }: Explanation, cause: unknown): StorageUnavailable {
  const error = new StorageUnavailable(`${finding} ${fix}`, { cause });
  explained.set(error, { finding, fix });
  return error;
}

const explained = new WeakMap<object, Explanation>();

/** Returns the two parts of an outage's message. Returns null for other errors. */
export function explainUnavailable(error: unknown): Explanation | null {
  return typeof error === 'object' && error !== null ? (explained.get(error) ?? null) : null;
}

export function outcomeUnknown(error: unknown): StorageUnavailable {
  if (sqlState(error) !== null) withoutRows(error as object);
  return new StorageUnavailable('The connection was lost during the commit: its outcome is unknown.', {
    cause: error,
    mayBeDone: true,
  });
}

/** The error of a commit that a failover may lose. */
export function unconfirmed(): StorageUnavailable {
  return new StorageUnavailable(
    'PostgreSQL committed without waiting for its synchronous standby, because the wait was cancelled. ' +
      'A failover may lose the commit: its outcome is unknown. ' +
      'Bring the standby back, and do not cancel commits that wait for it.',
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
  'The synchronous standby of PostgreSQL does not answer, so commits wait. ' +
  'They continue when the standby answers again. ' +
  'If the standby cannot come back, remove it from `synchronous_standby_names` and run `select pg_reload_conf()`. ' +
  'Do not cancel the waiting commits: PostgreSQL would then commit without the standby.';

function sqlState(error: unknown): string | null {
  if (!isAnyError(error) || !('severity' in error) || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}

const LOCK_TIMEOUT = '55P03';

/** The codes of serialisation failures, deadlocks and lock timeouts. */
const CONTENTION: ReadonlySet<string> = new Set(['40001', '40P01', LOCK_TIMEOUT]);

/** The codes of outages: connections, resources, operator intervention, idle transactions, broken storage. */
const OUTAGES = /^(?:08|53|57|58|XX|25P03|25P04|25006|28)/;

/** The codes after which the connection ends or accepts no more writes, for example after a failover. */
const ENDED = /^(?:08|57P|25P03|25P04|25006|XX)/;

/**
 * Returns whether the error comes from the network or from `pg`. Errors of `pg` itself have no code, so their
 * messages are compared.
 */
function isFromNetwork(error: unknown): boolean {
  if (!isAnyError(error)) return false;
  return 'code' in error ? typeof error.code === 'string' : CLIENT_MESSAGES.test(error.message);
}

const CLIENT_MESSAGES =
  /^(?:Connection terminated|Query read timeout|timeout exceeded|Client (?:has encountered|was closed)|Cannot use a pool)/;

/** Deletes the fields that quote rows and parameters. */
function withoutRows(error: object): void {
  for (const quoting of ['detail', 'where', 'internalQuery', 'hint']) Reflect.deleteProperty(error, quoting);
}
