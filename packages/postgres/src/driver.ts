import { StorageUnavailable } from '@partner-hiring/core';
import type { Clock } from '@partner-hiring/core/ports';
import type { Driver, Work } from '@partner-hiring/storage-kysely';
import type { ClientBase } from 'pg';
import { asyncCommit } from './async-commit.js';
import { toStorageError } from './errors.js';
import { executeWithinHost, type PostgresTransaction } from './host-transaction.js';
import type { Connections } from './pool.js';
import type { Send } from './query.js';
import { executeOn } from './query.js';
import { retryContention } from './retry.js';
import { isStandbyAwaited } from './standby-wait.js';
import { type Begin, runHostTransaction, runTransaction } from './transaction.js';
import { watchHostErrors } from './watch-host-errors.js';
import { createWriteWatch, type WritePace } from './write-watch.js';

export interface DriverParts {
  readonly connections: Connections;
  readonly begin: Begin;
  readonly clock: Pick<Clock, 'now'>;
  /** Uses the host's timeouts. */
  readonly sendWithinHost: Send;
  /** Whether a statement may commit without waiting for the disk. On a node of Citus, it always waits. */
  readonly commitsAsync: boolean;
  readonly writePace?: WritePace | undefined;
}

const CLOSED =
  'The storage is closed. `partnerHiring.close()` also closes its storage: open one storage for each.';

export function createPostgresDriver(parts: DriverParts): Driver<PostgresTransaction, ClientBase> {
  const { connections, begin, clock, sendWithinHost, commitsAsync } = parts;
  const writes = createWriteWatch({
    isStandbyAwaited: (sinceMs) => isStandbyAwaited(connections, sinceMs),
    connections: connections.max,
    pace: parts.writePace,
  });
  let closing: Promise<void> | null = null;

  async function attempted<T>(run: () => Promise<T>, isOfHost = (_: unknown) => false): Promise<T> {
    if (closing !== null) throw new StorageUnavailable(CLOSED);
    try {
      return await retryContention(run);
    } catch (error) {
      throw toStorageError(error, { place: connections.place, isOfHost: isOfHost(error) });
    }
  }

  /** Runs each statement as its own transaction. */
  function runAlone<T>(work: Work<T>, rewrite: (sql: string) => string): Promise<T> {
    return connections.lend(({ statement }) =>
      work(executeOn({ statement: (sql, parameters) => statement(rewrite(sql), parameters) })),
    );
  }

  return {
    read: (work) => attempted(() => runAlone(work, (sql) => sql)),
    write: (work) =>
      attempted(async () => {
        await writes.admit();
        return connections.lend((connection) =>
          writes.during(connection, (watched) => runTransaction(connection, begin, work, watched)),
        );
      }),
    writeWithAsyncCommit: (work) =>
      attempted(() => runAlone(work, commitsAsync ? asyncCommit : (sql) => sql)),
    adopt: (hostTx) => executeWithinHost(hostTx, sendWithinHost),
    openForHost: (work) => {
      const { watch, isOfHost } = watchHostErrors();
      return attempted(async () => {
        await writes.admit();
        return connections.lend((connection) =>
          writes.during(connection, (watched) => runHostTransaction(connection, begin, watch(work), watched)),
        );
      }, isOfHost);
    },
    runAlone: (work) => work(),
    areWritesExclusive: false,
    now: () => clock.now(),
    close: () => {
      closing ??= connections.close();
      return closing;
    },
  };
}
