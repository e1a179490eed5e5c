import { StorageUnavailable } from '@partner-hiring/core';
import type { Execute, TransactionWork, Ways } from '@partner-hiring/storage-kysely';
import type { Connection } from './connection.js';
import { isAborted, isIdledOut, isReadOnly, outcomeUnknown, unconfirmed } from './errors.js';
import { executeOn } from './execute.js';
import { answerWithin } from './timeouts.js';
import { UNWATCHED, type WatchedWrite } from './write-watch.js';

/**
 * Pipelines `begin` with early statements, and the last statement with the commit. If `begin` fails, each
 * early statement may run as its own transaction, so unsafe ones wait. If the last statement fails, the
 * server rolls back.
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

interface OpenTransaction {
  readonly begun: Promise<unknown>;
  readonly ways: Ways;
  finish(): Promise<void>;
  /** Returns the error to throw. */
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
  /** Whether a statement waited for `begin`. Later ones must not overtake it. */
  let waits = false;
  let committing: Promise<void> | null = null;
  /** Later statements fail too, and the caller may await one of those first. */
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
    // If the connection was lost earlier, nothing was sent and the outcome is known.
    connection.assertThere();
    watched.beforeCommit();
    const answer = executeOn({ statement: connection.committing })(sql, sets);
    isOpen = false;
    // The commit's timeout starts with that of the statement.
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
      // Once `commit` is sent, only its result counts, even if the connection is lost afterwards.
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
      // Closing a broken connection rolls back, unless the commit was sent.
      if (!connection.isBroken()) await (committing ?? end(connection, 'rollback')).catch(() => {});
      return committing === null ? cause : orUnknown(connection, cause);
    },
  };
}

/** The statement that the commit follows, and the timeout of both. */
interface Along {
  readonly answer: Promise<unknown>;
  readonly ms: number;
}

async function commit(connection: Connection, watched: WatchedWrite, along?: Along): Promise<void> {
  const told = end(connection, 'commit', along?.ms);
  told.catch(() => {});
  // Until then, the commit waits for the statement, which may wait for a lock.
  await along?.answer.catch(() => {});
  watched.whileCommitting();
  const done = await told;
  // The server answers `ROLLBACK` if a statement of the transaction had failed.
  if (done !== 'COMMIT')
    throw new Error('The transaction could not commit: one of its statements had failed.');
  if (connection.isUnconfirmed()) throw unconfirmed();
}

/** If the command fails, the transaction may still be open, so the connection is discarded. */
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

/** If the error broke the connection, the outcome is unknown. */
function orUnknown(connection: Connection, error: unknown): unknown {
  const isTold = error instanceof StorageUnavailable || isReadOnly(error) || isIdledOut(error);
  return connection.isBroken() && !isTold ? outcomeUnknown(error) : error;
}
