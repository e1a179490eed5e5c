import { StorageUnavailable } from '@partner-hiring/core';
import type { Clock } from '@partner-hiring/core/ports';
import {
  type Driver,
  type Execute,
  findAdvice,
  type HostAdvice,
  storageMisconfiguration,
  type TransactionWork,
} from '@partner-hiring/storage-kysely';
import type { Database } from 'better-sqlite3';
import { type Connection, createConnection } from './connection.js';
import type { Connections } from './connections.js';
import { fromSqliteError } from './errors.js';
import { fileOf, identityOf, isSameFile } from './file-identity.js';
import {
  executeOnStatements,
  isStatements,
  onAnotherFile,
  type SqliteStatements,
} from './host-statements.js';
import { rewriteErased } from './rewrite-erased.js';
import { applySettings, type Durability, SECURE_DELETE } from './settings.js';
import { runTransaction } from './transaction.js';
import { createWriteQueue, retryBusy, TIMEOUT_MS, timeoutFromNow } from './write-queue.js';

/** Explains what to pass instead of a value that is not a transaction of ours. */
export function sqliteAdviceFor(hostTx: unknown): string {
  return findAdvice(hostTx, ADVICE) ?? NO_TRANSACTION;
}

const adapter = (name: string, path: string) =>
  `Pass \`${name}(transaction)\` of '@partner-hiring/sqlite/${path}' instead of the transaction itself.`;

const ADVICE: HostAdvice = [
  [['$queryRawUnsafe'], adapter('fromPrismaSqlite', 'prisma')],
  [['raw', 'transaction'], adapter('fromKnexSqlite', 'knex')],
  [['executeQuery'], adapter('fromKyselySqlite', 'kysely')],
  [
    ['startTransaction', 'connect'],
    'Pass `fromTypeormSqlite(queryRunner.manager)` instead of the query runner.',
  ],
  [['createQueryBuilder', 'query'], adapter('fromTypeormSqlite', 'typeorm')],
  [
    ['run', 'select'],
    "Pass `fromDrizzleSqlite(db)` of '@partner-hiring/sqlite/drizzle' after `begin immediate`.",
  ],
];

const NO_TRANSACTION =
  'Pass a handle of better-sqlite3 on which you ran `begin immediate`, or the result of an adapter such as ' +
  '`fromDrizzleSqlite`. For a library without an adapter, pass an object with its name and a function that runs a ' +
  'statement: `{ library, query(text, values) }`. The docs show it under "Your own transaction".';

/**
 * A transaction that the host begins and ends: a better-sqlite3 handle after `begin immediate`, or the result of an
 * adapter such as `fromKyselySqlite`.
 */
export type SqliteTransaction = Database | SqliteStatements;

const CLOSED =
  'The storage is closed. `partnerHiring.close()` also closes its storage: open one storage for each.';

export function createSqliteDriver(
  connections: Connections,
  clock: Pick<Clock, 'now'>,
): Driver<SqliteTransaction, Database> {
  const { writer, reader, assertInPlace } = connections;
  const enqueue = createWriteQueue(TIMEOUT_MS);
  const adopted = new WeakMap<Database, Connection>([[writer.handle, writer]]);
  const ours = new WeakSet<Database>();
  let isClosed = false;

  function assertOpen(): void {
    if (isClosed) throw new StorageUnavailable(CLOSED);
  }

  /**
   * Throws unless the host's handle has our file open. A handle keeps its file, so this is checked once for each
   * handle. The files beside the database may be replaced, so they are checked each time.
   */
  function assertOurs(hostTx: Database): void {
    assertInPlace();
    if (ours.has(hostTx)) return;
    if (!isSameFile(hostTx, writer.handle)) throw onAnotherFile(fileOf(hostTx), fileOf(writer.handle));
    applySettings(hostTx, [SECURE_DELETE]);
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

  function adoptStatements(statements: SqliteStatements): Execute {
    const execute = executeOnStatements(statements, writer.handle);
    return (sql, sets) =>
      translated(async () => {
        assertInPlace();
        return execute(sql, sets);
      });
  }

  /**
   * Reads with the writer, because it has the page cache. While it is in a transaction, reads with the
   * reader, which sees no uncommitted data.
   */
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
      if (isStatements(hostTx)) return adoptStatements(hostTx);
      assertHandle(hostTx);
      const connection = adopted.get(hostTx) ?? createConnection(hostTx);
      adopted.set(hostTx, connection);
      return executeWithinHost(connection, () => assertOurs(hostTx));
    },
    openForHost: (work) => write('full', ({ execute }) => work(writer.handle, execute)),
    runAlone: (work) => enqueue(work),
    areWritesExclusive: true,
    rewriteErased: async (afterMs) => {
      assertOpen();
      assertInPlace();
      return translated(() => enqueue(() => rewriteErased(writer.handle, clock.now(), afterMs)));
    },
    now: () => clock.now(),
    fileIdentity: identityOf(writer.handle),
    close: async () => {
      isClosed = true;
      await enqueue(async () => connections.close());
    },
  };
}

function assertHandle(hostTx: Partial<Database> | null | undefined): void {
  if (typeof hostTx?.prepare !== 'function') throw storageMisconfiguration(sqliteAdviceFor(hostTx));
}

/** Runs statements in the host's transaction. Only the host can retry that transaction. */
function executeWithinHost({ handle, execute }: Connection, assertOurs: () => void): Execute {
  return (sql, sets) => {
    if (!handle.inTransaction) {
      throw storageMisconfiguration(
        'The handle has no open transaction. Run `begin immediate` on it before the first call, and end the transaction after the last one.',
      );
    }
    return translated(async () => {
      assertOurs();
      return execute(sql, sets);
    });
  };
}

async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw fromSqliteError(error);
  }
}
