import { StorageUnavailable } from '@partner-hiring/core';
import type { Execute, TransactionWork, Ways } from '@partner-hiring/storage-kysely';
import type { Connection } from './connection.js';
import { isAborted, isIdledOut, isReadOnly, outcomeUnknown, unconfirmed } from './errors.js';
import { executeOn } from './execute.js';
import { answerWithin } from './timeouts.js';
import { UNWATCHED, type WatchedWrite } from './write-watch.js';

/**
 * Runs work in one transaction of a connection. On a connection that pipelines, `begin` travels together with
 * statements that are early. Should it fail, they met a transaction that was aborted, or none, and then each was one by
 * itself: what may do harm so waits for the answer to it. The commit travels together with the statement that is
 * said to be the last. Should that one fail, the server rolls back when it is told to commit.
 */
export async function runTransaction<T>(
  connection: Connection,
  begin: string,
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

/** A transaction while it lasts. */
interface OpenTransaction {
  /** Rejects if it did not begin. */
  readonly begun: Promise<unknown>;
  readonly ways: Ways;
  /** Commits it, or waits for the commit that is on its way. */
  finish(): Promise<void>;
  /** Ends it after an error; what is to be said of it. */
  giveUp(error: unknown): Promise<unknown>;
}

function open(connection: Connection, begin: string, watched: WatchedWrite): OpenTransaction {
  let notBegun: unknown = null;
  const begun = connection.command(begin).catch((error: unknown) => {
    notBegun = error;
    throw error;
  });
  begun.catch(() => {});
  let isOpen = true;
  /** Whether a statement waited for the answer to `begin`: none that comes later overtakes it. */
  let waits = false;
  let committing: Promise<void> | null = null;
  /** Behind a statement that fails, those that travelled with it fail too, and one of them may be awaited first. */
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
    // Lost before anything of it was sent, the connection leaves no doubt.
    connection.assertThere();
    watched.beforeCommit();
    const answer = executeOn({ statement: connection.committing })(sql, sets);
    isOpen = false;
    // Its time begins with that of the statement.
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
      // Once it is told to commit, its answer tells, though the connection may be lost right behind that.
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
      // A connection that cannot end it is closed, and the server then rolls back, unless it was told to commit.
      if (!connection.isBroken()) await (committing ?? end(connection, 'rollback')).catch(() => {});
      return committing === null ? cause : orUnknown(connection, cause);
    },
  };
}

/** The statement that a commit travels with, and how long both may take. */
interface Along {
  readonly answer: Promise<unknown>;
  readonly ms: number;
}

/**
 * @throws an error that the server answered, and will roll back, or one of the connection, with which nobody can say, or
 *   `StorageUnavailable` if no standby confirms it.
 */
async function commit(connection: Connection, watched: WatchedWrite, along?: Along): Promise<void> {
  const told = end(connection, 'commit', along?.ms);
  told.catch(() => {});
  // Until then, it waits for the statement, and that may wait for a lock.
  await along?.answer.catch(() => {});
  watched.whileCommitting();
  const done = await told;
  // The server's answer to the commit of a transaction in which a statement had failed.
  if (done !== 'COMMIT')
    throw new Error('The transaction could not commit: one of its statements had failed.');
  if (connection.isUnconfirmed()) throw unconfirmed();
}

/**
 * Ends a transaction; the server's word for how. One that it did not end, because it was cancelled with it, is in the way
 * of all that follow.
 */
async function end(
  connection: Connection,
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
 * The error, or that nobody can say what was done behind one that broke the connection. It is not begun again then: what
 * the caller does next must not depend on the answer.
 */
function orUnknown(connection: Connection, error: unknown): unknown {
  const isTold = error instanceof StorageUnavailable || isReadOnly(error) || isIdledOut(error);
  return connection.isBroken() && !isTold ? outcomeUnknown(error) : error;
}
