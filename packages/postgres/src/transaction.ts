import { StorageUnavailable } from '@partner-hiring/core';
import type { Work } from '@partner-hiring/storage-kysely';
import type { Connection } from './connection.js';
import { isAborted, isContention, isIdledOut, isReadOnly } from './errors.js';
import { executeOn } from './execute.js';

/**
 * Runs work in one transaction of a connection. On a connection that pipelines, `begin` travels together with
 * the first statement. Should it fail, the error of that statement is one of the connection, or that of a
 * transaction that is aborted: either way nothing was done.
 */
export async function runTransaction<T>(connection: Connection, begin: string, work: Work<T>): Promise<T> {
  const begun = connection.command(begin);
  if (connection.isPipelined) begun.catch(() => {});
  else await begun;
  const execute = executeOn(connection);
  let isOpen = true;
  /** Behind a statement that fails, those that travelled with it fail too, and one of them may be awaited first. */
  let firstFailure: unknown;
  try {
    const result = await work((sql, sets) => {
      if (!isOpen) return Promise.reject(new Error('The transaction has ended: a call was not awaited.'));
      return execute(sql, sets).catch((error: unknown) => {
        firstFailure ??= error;
        throw error;
      });
    });
    isOpen = false;
    await begun;
    connection.assertThere();
    await commit(connection);
    return result;
  } catch (error) {
    isOpen = false;
    // A connection that cannot roll back is closed, and the server then does it.
    if (!connection.isBroken()) await connection.command('rollback').catch(() => {});
    throw isAborted(error) ? (firstFailure ?? error) : error;
  }
}

/**
 * @throws StorageUnavailable if nobody can say whether it was done. It is not begun again then: what the caller
 *   does next must not depend on the answer.
 */
async function commit(connection: Connection): Promise<void> {
  const done = await connection.command('commit').catch((error: unknown) => {
    if (isContention(error) || isIdledOut(error)) throw error;
    throw outcomeUnknown(error);
  });
  // The server's answer to the commit of a transaction in which a statement had failed.
  if (done !== 'COMMIT')
    throw new Error('The transaction could not commit: one of its statements had failed.');
}

/**
 * Runs work of one statement that is a transaction by itself.
 *
 * @throws StorageUnavailable if nobody can say whether it was done, as at a commit.
 */
export async function runStatement<T>(connection: Connection, work: Work<T>): Promise<T> {
  try {
    return await work(executeOn({ statement: connection.committing }));
  } catch (error) {
    throw connection.isBroken() && !isReadOnly(error) ? outcomeUnknown(error) : error;
  }
}

function outcomeUnknown(error: unknown): StorageUnavailable {
  return new StorageUnavailable('The connection was lost during the commit: its outcome is unknown.', {
    cause: error,
  });
}
