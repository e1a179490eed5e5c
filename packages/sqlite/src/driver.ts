import { OperatorError, StorageUnavailable } from '@partner-hiring/core';
import type { Clock } from '@partner-hiring/core/ports';
import type { Driver, Execute, TransactionWork } from '@partner-hiring/storage-kysely';
import type { Database } from 'better-sqlite3';
import { type Connection, createConnection } from './connection.js';
import type { Connections } from './connections.js';
import { toStorageError } from './errors.js';
import { fileOf, isSameFile } from './file-identity.js';
import { PATIENCE_MS, retryBusy, timeoutFromNow } from './retry-busy.js';
import type { Durability } from './settings.js';
import { runTransaction } from './transaction.js';
import { createWriteQueue } from './write-queue.js';

const CLOSED =
  'The storage was closed. `close` of what createPartnerHiring made closes the storage that it was given: open one for each.';

/** A driver over the connections of one process. */
export function createSqliteDriver(connections: Connections, clock: Pick<Clock, 'now'>): Driver<Database> {
  const { writer, reader, assertInPlace } = connections;
  const inTurn = createWriteQueue(PATIENCE_MS);
  const adopted = new WeakMap<Database, Connection>();
  const ours = new WeakSet<Database>();
  let isClosed = false;

  function assertOpen(): void {
    if (isClosed) throw new StorageUnavailable(CLOSED);
  }

  /** A handle stays on its file, so each is looked at once; what is beside the file may go at any time. */
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
    return translated(() => inTurn(() => retryBusy(run, deadline)));
  }

  /** Between its transactions the writer reads too: it has the pages at hand. Within one it would see what may be undone. */
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
      await inTurn(async () => connections.close());
    },
  };
}

/** What JavaScript lets through. */
function assertHandle(hostTx: Partial<Database> | null | undefined): void {
  if (typeof hostTx?.prepare === 'function') return;
  throw new OperatorError(
    'MISCONFIGURED',
    'Hand over a handle of better-sqlite3 on which you said `begin immediate`. Of another library, such as Drizzle ' +
      'or Knex, it is the handle that its transaction runs on.',
  );
}

/** Statements in the host's transaction. Nothing is retried: what the host did before cannot be done again. */
function executeWithinHost({ handle, execute }: Connection, assertOurs: () => void): Execute {
  return (sql, sets) => {
    if (!handle.inTransaction) {
      throw new OperatorError(
        'MISCONFIGURED',
        'The handle is in no transaction. Open one with `begin immediate` before the first call, and end it after the last.',
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
    `The handle is on ${fileOf(theirs) || 'a database in memory'}, and the storage on ${fileOf(ours)}. Open the handle on ` +
      "the storage's own file: one transaction holds your changes and ours only there. Nothing was changed.",
  );
}

async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toStorageError(error);
  }
}
