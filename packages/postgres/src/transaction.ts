import { StorageUnavailable } from '@partner-hiring/core';
import type { Execute, TransactionWork, Ways } from '@partner-hiring/storage-kysely';
import type { ClientBase } from 'pg';
import type { ServerConnection } from './connection.js';
import { isAborted, isIdledOut, isReadOnly, outcomeUnknown, unconfirmed } from './errors.js';
import { executeOn } from './query.js';
import { answerWithin } from './timeouts.js';
import { UNWATCHED, type WatchedWrite } from './write-watch.js';

/**
 * Runs work in a transaction. Sends `begin` together with early statements, and the last statement together
 * with the commit. If `begin` fails, each early statement may run as its own transaction, so other statements
 * wait for `begin`. If the last statement fails, the server rolls back.
 */
export async function runPostgresTransaction<T>(
  connection: ServerConnection,
  begin: Begin,
  work: TransactionWork<T>,
  watched: WatchedWrite = UNWATCHED,
): Promise<T> {
  const transaction = open(connection, begin, watched);
  try {
    if (!connection.isPipelined) await transaction.begun;
    const result = await work(transaction.ways);
    await transaction.finish();
    return result;
  } catch (error) {
    throw await transaction.giveUp(error);
  }
}

/** Runs code of the host in a transaction. */
export async function runHostTransaction<T>(
  connection: ServerConnection,
  begin: Begin,
  work: (client: ClientBase, execute: Execute) => Promise<T>,
  watched: WatchedWrite = UNWATCHED,
): Promise<T> {
  await sendBegin(connection, begin);
  let result: T;
  try {
    result = await work(connection.client, executeOn(connection));
    connection.assertThere();
    watched.beforeCommit();
  } catch (error) {
    if (!connection.isBroken()) await end(connection, 'rollback').catch(() => {});
    throw error;
  }
  try {
    await commit(connection, watched);
  } catch (error) {
    throw orUnknown(connection, error);
  }
  return result;
}

interface OpenTransaction {
  readonly begun: Promise<unknown>;
  readonly ways: Ways;
  finish(): Promise<void>;
  /** Rolls back. Returns the error that the transaction must throw. */
  giveUp(error: unknown): Promise<unknown>;
}

/** The commands that begin a transaction. They are sent at once. */
export type Begin = string | readonly string[];

function sendBegin(connection: ServerConnection, begin: Begin): Promise<unknown> {
  return typeof begin === 'string'
    ? connection.command(begin)
    : Promise.all(begin.map((text) => connection.command(text)));
}

function open(connection: ServerConnection, begin: Begin, watched: WatchedWrite): OpenTransaction {
  let notBegun: unknown = null;
  const begun = sendBegin(connection, begin).catch((error: unknown) => {
    notBegun = error;
    throw error;
  });
  begun.catch(() => {});
  let isOpen = true;
  /** Whether a statement has waited for `begin`. Later statements must wait too, to keep their order. */
  let waits = false;
  let committing: Promise<void> | null = null;
  /** The first error. Later statements then fail too, and the caller may see one of their errors first. */
  let firstFailure: unknown;

  const whileOpen =
    (execute: Execute): Execute =>
    (sql, sets) => {
      if (!isOpen) return Promise.reject(new Error('The transaction has ended: a call was not awaited.'));
      if (notBegun !== null) return Promise.reject(notBegun);
      return execute(sql, sets).catch((error: unknown) => {
        firstFailure ??= error;
        throw error;
      });
    };
  const onceBegun =
    (execute: Execute): Execute =>
    (sql, sets) => {
      waits = true;
      return begun.then(() => execute(sql, sets));
    };
  const atOnce = whileOpen(executeOn(connection));
  const execute = onceBegun(atOnce);
  const andCommit: Execute = async (sql, sets) => {
    // If the connection was lost before this point, this throws and sends nothing, so the transaction was certainly not
    // committed.
    connection.assertThere();
    watched.beforeCommit();
    const answer = executeOn({ statement: connection.committing })(sql, sets);
    isOpen = false;
    // The commit is sent with the statement, so its timeout must cover both.
    const { commandMs } = connection;
    committing = commit(connection, watched, {
      answer,
      ms: answerWithin(commandMs, sets.flat()) + commandMs,
    });
    committing.catch(() => {});
    return answer;
  };

  return {
    begun,
    ways: {
      execute,
      executeEarly: (sql, sets) => (waits ? execute : atOnce)(sql, sets),
      executeLast: onceBegun(whileOpen(andCommit)),
    },
    finish: async () => {
      isOpen = false;
      await begun;
      // Once `commit` is sent, only its result counts, even if the connection is lost meanwhile.
      if (committing === null) {
        connection.assertThere();
        watched.beforeCommit();
      }
      committing ??= commit(connection, watched);
      await committing;
    },
    giveUp: async (error) => {
      isOpen = false;
      const cause = notBegun ?? (isAborted(error) ? (firstFailure ?? error) : error);
      // A broken connection is closed, and the server then rolls back, unless the commit was sent.
      if (!connection.isBroken()) await (committing ?? end(connection, 'rollback')).catch(() => {});
      return committing === null ? cause : orUnknown(connection, cause);
    },
  };
}

/** The last statement, which is sent together with the commit. `ms` is their common timeout in milliseconds. */
interface Along {
  readonly answer: Promise<unknown>;
  readonly ms: number;
}

async function commit(connection: ServerConnection, watched: WatchedWrite, along?: Along): Promise<void> {
  const told = end(connection, 'commit', along?.ms);
  told.catch(() => {});
  // Until the last statement has its result, the transaction may be waiting for a lock rather than for its commit.
  await along?.answer.catch(() => {});
  watched.whileCommitting();
  const done = await told;
  // The server answers `ROLLBACK` to a commit if a statement of the transaction has failed.
  if (done !== 'COMMIT')
    throw new Error('The transaction could not commit: one of its statements had failed.');
  if (connection.isUnconfirmed()) throw unconfirmed();
}

/** Ends the transaction. If that fails, the transaction may still be open, so the connection is discarded. */
async function end(
  connection: ServerConnection,
  command: 'commit' | 'rollback',
  withinMs?: number,
): Promise<string> {
  try {
    return await connection.command(command, withinMs);
  } catch (error) {
    connection.discard();
    throw error;
  }
}

/**
 * Returns the error to throw. If this error broke the connection, returns one that says the commit's outcome
 * is unknown.
 */
function orUnknown(connection: ServerConnection, error: unknown): unknown {
  const isTold = error instanceof StorageUnavailable || isReadOnly(error) || isIdledOut(error);
  return connection.isBroken() && !isTold ? outcomeUnknown(error) : error;
}
