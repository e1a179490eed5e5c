import { OperatorError, StorageUnavailable } from '@partner-hiring/core';
import type { DatabaseError } from 'pg';
import { wordsFor } from './outage-words.js';

/** The transaction lost against another one: as a whole it may be tried again. */
export function isContention(error: unknown): boolean {
  return CONTENTION.has(sqlState(error) ?? '');
}

/**
 * The statement was prepared for tables that a newer release has changed since: prepared anew, it can be run. The
 * code stands for much else, and the message is in the server's language: where it comes from is in neither.
 */
export function isOutdated(error: unknown): boolean {
  return sqlState(error) === '0A000' && (error as DatabaseError).routine === 'RevalidateCachedQuery';
}

/**
 * What was prepared on the connection is not there any more, or a name is somebody else's there: what the server tells
 * before it runs anything. Prepared anew under another name, it can be run.
 */
export function isUnprepared(error: unknown): boolean {
  return ['26000', '42P05'].includes(sqlState(error) ?? '');
}

/** What a host has to know of it. */
export const UNPREPARED =
  'What was prepared on a connection of PostgreSQL was gone, or a name of ours was there already. A pooler that does not ' +
  'know prepared statements stands between, or `discard all` or `deallocate` was said on the connection. Open the ' +
  'storage with `preparedStatements: false`: until then statements fail, and are run again.';

/**
 * A hot standby was told to begin a transaction that writes. The code is that of much else, as above; no other setting
 * of ours is one that a server can refuse so.
 */
function isOfStandby(error: unknown): boolean {
  return sqlState(error) === '0A000' && (error as DatabaseError).routine === 'call_bool_check_hook';
}

/** A number was divided by zero, which only a presumption that does not hold does. */
export function isDivisionByZero(error: unknown): boolean {
  return sqlState(error) === '22012';
}

/** An earlier statement of the transaction has failed: that one tells why. */
export function isAborted(error: unknown): boolean {
  return sqlState(error) === '25P02';
}

/** The transaction had idled for too long: the server had ended it before it saw what it answers so. */
export function isIdledOut(error: unknown): boolean {
  return sqlState(error) === '25P03';
}

/** The role may not do what was asked. A policy of row level security has the same code, and refuses a row alone. */
export function isForbidden(error: unknown): boolean {
  return sqlState(error) === '42501' && (error as DatabaseError).routine !== 'ExecWithCheckOptions';
}

/** The server answered it, whatever it was. */
export function isOfServer(error: unknown): error is DatabaseError {
  return sqlState(error) !== null;
}

/**
 * The role lacks a right to tables, so nobody's statement can run. The code is also that of a policy that refuses one
 * row, and of a host's trigger: that may be about one request of a batch, whose neighbours are done without it.
 */
function isRightMissing(error: unknown): boolean {
  return isForbidden(error) && (error as DatabaseError).routine?.startsWith('aclcheck_error') === true;
}

/** Tables or columns that are not there. */
export function isMissing(error: unknown): boolean {
  return ['42P01', '42703', '3F000'].includes(sqlState(error) ?? '');
}

/**
 * Whether the connection must not be used again. Only an error that the server answered, and survived as it was, leaves
 * it whole: after a time-out, for one, the next answer would be that of the statement before.
 */
export function breaksConnection(error: unknown): boolean {
  const state = sqlState(error);
  return state === null || ENDED.test(state) || isOfStandby(error);
}

/** The server takes no writes, so what was to write has done nothing. */
export function isReadOnly(error: unknown): boolean {
  return sqlState(error) === '25006';
}

/** The answer did not come in time: `pg` waits no longer, but the server may still be at it. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

/**
 * The error as the ports have it: an outage becomes `StorageUnavailable`, a bug stays what it is, but loses
 * what the server tells of rows: they are personal data.
 */
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

/** What an `on conflict` rests on: a constraint that somebody has dropped. */
const NO_UNIQUE_INDEX = '42P10';

const RIGHTS_ARE_GONE =
  'The role may not use the tables any more. Run the SQL of postgresMigrationSql({ schema, from, grantTo: role }), ' +
  'where `from` is the highest version in `ph_schema_migration`, or grant what it grants.';

const TABLES_ARE_GONE =
  'The tables are not in this database, or not as this version needs them. Bring the schema back under its name; ' +
  'where an older backup was restored, run migratePostgres or open the storage anew. A transaction of yours must be ' +
  'one in the database that the storage has.';

/** What went wrong on the way to a connection is an outage, whatever it was. */
export function unavailable(error: unknown): StorageUnavailable {
  if (error instanceof StorageUnavailable) return error;
  const words = wordsFor(sqlState(error), error instanceof Error ? error.message : '');
  return new StorageUnavailable(words, { cause: error });
}

/** What is said of a commit whose answer was lost with the connection; it tells nothing of rows either. */
export function outcomeUnknown(error: unknown): StorageUnavailable {
  if (sqlState(error) !== null) withoutRows(error as object);
  return new StorageUnavailable('The connection was lost during the commit: its outcome is unknown.', {
    cause: error,
    mayBeDone: true,
  });
}

/** What is said of a commit that the standby has not confirmed, so that a failover may lose it. */
export function unconfirmed(): StorageUnavailable {
  return new StorageUnavailable(
    'PostgreSQL committed without waiting for its synchronous standby, because the wait was cancelled. A failover may lose ' +
      'the commit: its outcome is unknown. Bring the standby back, and cancel no commit that waits for it.',
    { mayBeDone: true },
  );
}

/** What is said of a commit that waits for the standby longer than a partner should. */
export function standbyAwaited(): StorageUnavailable {
  return new StorageUnavailable(`${STANDBY_IS_LOST} The outcome of this commit is unknown.`, {
    mayBeDone: true,
  });
}

/** What is said of a transaction that does not begin, because its commit would wait too. */
export function standbyLost(): StorageUnavailable {
  return new StorageUnavailable(STANDBY_IS_LOST);
}

const STANDBY_IS_LOST =
  'The synchronous standby of PostgreSQL does not answer, so commits wait. Writing goes on by itself once it does, or once ' +
  'you take it out of `synchronous_standby_names` and run `select pg_reload_conf()`. Do not cancel the waiting commits: ' +
  'PostgreSQL would then commit without the standby.';

/** The code that the server gave an error, or null if it is not the server's. */
function sqlState(error: unknown): string | null {
  if (!(error instanceof Error) || !('severity' in error) || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}

/** Serialisation failure, deadlock, lock time-out. */
const CONTENTION: ReadonlySet<string> = new Set(['40001', '40P01', '55P03']);

/** Connections, resources, the operator's intervention, a transaction that idled too long, broken storage. */
const OUTAGES = /^(?:08|53|57|58|XX|25P03|25P04|25006|28)/;

/** The server ends the connection with these, or takes no more writes on it: after a failover another one does. */
const ENDED = /^(?:08|57P|25P03|25P04|25006|XX)/;

/** `pg` gives its own errors no code. Anything but a slip of the program's is one of a connection. */
function isFromNetwork(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return 'code' in error ? typeof error.code === 'string' : CLIENT_MESSAGES.test(error.message);
}

const CLIENT_MESSAGES =
  /^(?:Connection terminated|Query read timeout|timeout exceeded|Client (?:has encountered|was closed)|Cannot use a pool)/;

/** `detail` and `where` quote the values of rows and parameters. */
function withoutRows(error: object): void {
  for (const quoting of ['detail', 'where', 'internalQuery', 'hint']) Reflect.deleteProperty(error, quoting);
}
