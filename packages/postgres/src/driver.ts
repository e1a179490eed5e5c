import { StorageUnavailable } from '@partner-hiring/core';
import type { Clock } from '@partner-hiring/core/ports';
import type { Driver, Execute, Work } from '@partner-hiring/storage-kysely';
import type { ClientBase } from 'pg';
import { fromPostgresError } from './errors.js';
import { executeWithinHost, type PostgresTransaction } from './host-transaction.js';
import type { PoolConnections } from './pool.js';
import { executeOn, type Send } from './query.js';
import { retryContention } from './retry.js';
import { type Begin, runHostTransaction, runPostgresTransaction } from './transaction.js';
import { createWriteWatch, type WritePace } from './write-watch.js';

/**
 * Turns a writing statement into one that commits without waiting for the disk. The setting applies only to
 * that statement's own transaction.
 */
export function asyncCommit(sql: string): string {
  const known = asyncCommitTexts.get(sql);
  if (known !== undefined) return known;
  const returning = RETURNS.test(sql) ? sql : `${sql} returning 1`;
  const text =
    `with work as (${returning}) select work.* from work, ` +
    `(select pg_catalog.set_config('synchronous_commit', 'off', true)) as setting`;
  asyncCommitTexts.set(sql, text);
  return text;
}

const RETURNS = /\breturning\b/;

const asyncCommitTexts = new Map<string, string>();

/**
 * Counts the commits of this role, in all processes, that have waited for a standby for `$1`. A role may see its own
 * sessions without further rights.
 */
const ASK =
  "select count(*)::int as waiting from pg_stat_activity where wait_event = 'SyncRep' and usename = current_user " +
  'and query_start < pg_catalog.clock_timestamp() - $1::interval';

export async function isStandbyAwaited(
  connections: Pick<PoolConnections, 'lend'>,
  sinceMs: number,
): Promise<boolean> {
  const { rows } = await connections.lend(({ statement }) => statement(ASK, [`${sinceMs} milliseconds`]));
  const { waiting } = rows[0] as { readonly waiting: number };
  return waiting > 0;
}

type HostWork<T> = (client: ClientBase, execute: Execute) => Promise<T>;

export interface HostErrorWatch {
  watch<T>(work: HostWork<T>): HostWork<T>;
  /** Whether the work failed with this error, and no statement of the storage did. */
  isOfHost(error: unknown): boolean;
}

/** Distinguishes errors of the host's own statements in a transaction from errors of the storage's statements. */
export function watchHostErrors(): HostErrorWatch {
  const ofStorage = new Set<unknown>();
  const ofWork = new Set<unknown>();
  const noteIn = (errors: Set<unknown>) => (error: unknown) => {
    errors.add(error);
    throw error;
  };
  return {
    watch: (work) => (client, execute) =>
      work(client, (sql, sets) => execute(sql, sets).catch(noteIn(ofStorage))).catch(noteIn(ofWork)),
    isOfHost: (error) => ofWork.has(error) && !ofStorage.has(error),
  };
}

export interface DriverParts {
  readonly connections: PoolConnections;
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
      throw fromPostgresError(error, { place: connections.place, isOfHost: isOfHost(error) });
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
          writes.during(connection, (watched) => runPostgresTransaction(connection, begin, work, watched)),
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
