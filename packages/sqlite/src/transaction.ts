import type { Execute, TransactionWork, Ways } from '@partner-hiring/storage-kysely';
import type { Database } from 'better-sqlite3';
import { type Connection, createConnection } from './connection.js';
import { ofCommit } from './errors.js';
import { applySettings, DURABILITY, type Durability } from './settings.js';

/** One run without parameters. */
const ONCE: readonly [readonly unknown[]] = [[]];

/**
 * Runs work in a transaction. Begins it with `begin immediate`, which takes the write lock at once. A deferred
 * transaction would fail if another one wrote after its first read.
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
    // In this process, each statement finishes before the next one starts.
    const ways: Ways = { execute: executeWithin, executeEarly: executeWithin, executeLast: executeWithin };
    const result = await work(ways);
    isOpen = false;
    await commit(execute);
    return result;
  } catch (error) {
    isOpen = false;
    // Some errors, such as a full disk, have already rolled back the transaction.
    if (handle.open && handle.inTransaction) await execute('rollback', ONCE);
    throw error;
  }
}

/** @throws StorageUnavailable with `mayBeDone` if the disk failed, because the commit may have taken effect. */
async function commit(execute: Execute): Promise<void> {
  try {
    await execute('commit', ONCE);
  } catch (error) {
    throw ofCommit(error);
  }
}

export interface Writer extends Connection {
  /**
   * Sets the durability of later transactions. Call it outside a transaction. Throws `MISCONFIGURED` if
   * SQLite ignores the setting.
   */
  commitAs(durability: Durability): void;
}

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
