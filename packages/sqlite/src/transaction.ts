import type { Execute, TransactionWork, Ways } from '@partner-hiring/storage-kysely';
import type { Database } from 'better-sqlite3';
import { type Connection, createConnection } from './connection.js';
import { ofCommit } from './errors.js';
import { applySettings, DURABILITY, type Durability } from './settings.js';

/** Without parameters, once. */
const ONCE: readonly [readonly unknown[]] = [[]];

/**
 * Runs work in one transaction of a writer, as durable as it must be.
 *
 * `begin immediate` takes the write lock at once. A deferred transaction that turns from reading to writing
 * fails without any wait when somebody else has written meanwhile.
 */
export async function runTransaction<T>(
  { handle, execute, commitAs }: Writer,
  durability: Durability,
  work: TransactionWork<T>,
): Promise<T> {
  commitAs(durability);
  await execute('begin immediate', ONCE);
  let isOpen = true;
  try {
    const executeWithin: Execute = (sql, sets) => {
      if (!isOpen) return Promise.reject(new Error('The transaction has ended: a call was not awaited.'));
      return execute(sql, sets);
    };
    const result = await work(sameWay(executeWithin));
    isOpen = false;
    await commit(execute);
    return result;
  } catch (error) {
    isOpen = false;
    // Some errors, such as a full disk, have already rolled it back.
    if (handle.open && handle.inTransaction) await execute('rollback', ONCE);
    throw error;
  }
}

/** @throws StorageUnavailable, `mayBeDone`, if the disk failed. */
async function commit(execute: Execute): Promise<void> {
  try {
    await execute('commit', ONCE);
  } catch (error) {
    throw ofCommit(error);
  }
}

/** Within the process nothing is on its way: a statement has run before the next is thought of. */
function sameWay(execute: Execute): Ways {
  return { execute, executeEarly: execute, executeLast: execute };
}

/** A connection that writes. */
export interface Writer extends Connection {
  /**
   * Says what the transactions wait for that begin from now on. SQLite refuses to be told inside one.
   *
   * @throws OperatorError `MISCONFIGURED` if it does not hold.
   */
  commitAs(durability: Durability): void;
}

/** Makes a handle a writer's. */
export function createWriter(handle: Database): Writer {
  let held: Durability | null = null;
  return {
    ...createConnection(handle),
    commitAs: (durability) => {
      if (held === durability) return;
      held = null;
      applySettings(handle, [DURABILITY[durability]]);
      held = durability;
    },
  };
}
