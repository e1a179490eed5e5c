import { OperatorError, StorageUnavailable } from '@partner-hiring/core';
import type { Clock } from '@partner-hiring/core/ports';
import type { Driver, Execute, TransactionWork } from '@partner-hiring/storage-kysely';
import type { Database } from 'better-sqlite3';
import { type Connection, createConnection } from './connection.js';
import type { Connections } from './connections.js';
import { toStorageError } from './errors.js';
import { fileOf, isSameFile } from './file-identity.js';
import { retryBusy, TIMEOUT_MS, timeoutFromNow } from './retry-busy.js';
import type { Durability } from './settings.js';
import { runTransaction } from './transaction.js';
import { createWriteQueue } from './write-queue.js';

const CLOSED =
  'The storage is closed. `partnerHiring.close()` also closes its storage: open one storage for each.';

export function createSqliteDriver(connections: Connections, clock: Pick<Clock, 'now'>): Driver<Database> {
  const { writer, reader, assertInPlace } = connections;
  const enqueue = createWriteQueue(TIMEOUT_MS);
  const adopted = new WeakMap<Database, Connection>();
  const ours = new WeakSet<Database>();
  let isClosed = false;

  function assertOpen(): void {
    if (isClosed) throw new StorageUnavailable(CLOSED);
  }

  /** A handle keeps its file, but the files beside it may change. */
  function assertOurs(hostTx: Database): void {
    assertInPlace();
    if (ours.has(hostTx)) return;
    if (!isSameFile(hostTx, writer.handle)) throw onAnotherFile(hostTx, writer.handle);
    ours.add(hostTx);
  }

  async function write<T>(durability: Durability, work: TransactionWork<T>): Promise<T> {
    assertOpen();
    const deadline = timeoutFromNow();
    const run = async () => {
      if (durability === 'full') assertInPlace();
      return runTransaction(writer, durability, work);
    };
    return translated(() => enqueue(() => retryBusy(run, deadline)));
  }

  /** The writer has a cache, but in a transaction it sees uncommitted data. */
  const readCommitted: Execute = (sql, sets) =>
    (writer.handle.inTransaction ? reader : writer).execute(sql, sets);

  return {
    read: async (work) => {
      assertOpen();
      return translated(() => retryBusy(() => work(readCommitted), timeoutFromNow()));
    },
    write: (work) => write('full', work),
    writeWithAsyncCommit: (work) => write('normal', ({ execute }) => work(execute)),
    adopt: (hostTx) => {
      assertHandle(hostTx);
      const connection = adopted.get(hostTx) ?? createConnection(hostTx);
      adopted.set(hostTx, connection);
      return executeWithinHost(connection, () => assertOurs(hostTx));
    },
    now: () => clock.now(),
    close: async () => {
      isClosed = true;
      await enqueue(async () => connections.close());
    },
  };
}

function assertHandle(hostTx: Partial<Database> | null | undefined): void {
  if (typeof hostTx?.prepare === 'function') return;
  throw new OperatorError(
    'MISCONFIGURED',
    'Pass a handle of better-sqlite3 on which you ran `begin immediate`. With another library, such as Drizzle ' +
      'or Knex, pass the handle that its transaction runs on.',
  );
}

/** Runs statements in the host's transaction. Only the host can retry it. */
function executeWithinHost({ handle, execute }: Connection, assertOurs: () => void): Execute {
  return (sql, sets) => {
    if (!handle.inTransaction) {
      throw new OperatorError(
        'MISCONFIGURED',
        'The handle has no open transaction. Run `begin immediate` on it before the first call, and end the transaction after the last one.',
      );
    }
    return translated(async () => {
      assertOurs();
      return execute(sql, sets);
    });
  };
}

function onAnotherFile(theirs: Database, ours: Database): OperatorError {
  return new OperatorError(
    'MISCONFIGURED',
    `The handle uses ${fileOf(theirs) || 'a database in memory'}, but the storage uses ${fileOf(ours)}. Open the handle ` +
      "on the storage's own file, so that one transaction includes your changes and the storage's. Nothing was changed.",
  );
}

async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toStorageError(error);
  }
}
