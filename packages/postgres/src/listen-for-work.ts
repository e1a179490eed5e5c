import { createHash, randomUUID } from 'node:crypto';
import type { Worker } from '@partner-hiring/core';
import {
  checkStorageOptionNames,
  hasMethod,
  type StorageOptionNames,
  storageMisconfiguration,
} from '@partner-hiring/storage-kysely';
import pg from 'pg';
import { configOf, readHosts } from './connection-string.js';
import { findWriter } from './find-writer.js';
import { DEFAULT_SCHEMA } from './schema-name.js';
import type { PostgresTls } from './tls.js';

/**
 * Returns the name of the notification channel. It contains a hash, because a schema's name may be too long
 * for a channel's.
 */
export function workChannel(schema: string): string {
  return `partner_hiring_${createHash('sha256').update(schema).digest('hex').slice(0, 16)}`;
}

/**
 * For this time after a wake, in milliseconds, further notifications are collected into one more wake. The limit is
 * needed, because any role that can connect may send notifications, and each wake costs the worker a few statements.
 */
export const JOIN_MS = 100;

/** Wakes at the first notification. Those that follow within {@link JOIN_MS} cause one more wake. */
export function createJoinedWakes(wake: () => void) {
  let timer: NodeJS.Timeout | null = null;
  let isAwaited = false;
  let isClosed = false;

  function wakeNow(): void {
    isAwaited = false;
    timer = setTimeout(() => {
      timer = null;
      if (isAwaited) wakeNow();
    }, JOIN_MS);
    wake();
  }

  return {
    notify: () => {
      if (isClosed) return;
      if (timer === null) wakeNow();
      else isAwaited = true;
    },
    close: () => {
      isClosed = true;
      if (timer !== null) clearTimeout(timer);
    },
  };
}

/** The options of {@link listenForWork}. */
export interface WorkListenerOptions {
  /**
   * The connection string, which may name several hosts. Connect directly: a pooler in transaction mode
   * delivers no notifications.
   */
  readonly connectionString: string;
  /** The schema of the tables. Default `partner_hiring`. */
  readonly schema?: string | undefined;
  /** As for `createPostgresStorage`. */
  readonly tls?: boolean | PostgresTls | undefined;
  readonly worker: Pick<Worker, 'wake'> & { readonly setListening?: Worker['setListening'] | undefined };
}

const OPTIONS: StorageOptionNames<WorkListenerOptions> = {
  connectionString: true,
  schema: true,
  tls: true,
  worker: true,
};

/** A connection that listens until it is closed. */
export interface WorkListener {
  close(): Promise<void>;
}

const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 10_000;
const CONNECT_WITHIN_MS = 5_000;

/**
 * Wakes a worker within milliseconds of a commit in another process, at most ten times a second. The storage of that
 * process needs `announceWork`. Also wakes it once after each reconnect. Keeps one connection open, so a database that
 * pauses when unused stays awake. While it listens, an idle worker sleeps for up to an hour if its own storage has
 * `announceWork` too (`worker.idlePollMs`).
 * @throws OperatorError `MISCONFIGURED` if an option is unknown, the connection string is invalid, or the
 *   worker is missing.
 */
export function listenForWork(options: WorkListenerOptions): WorkListener {
  checkStorageOptionNames('listenForWork', options, OPTIONS);
  const { connectionString, schema = DEFAULT_SCHEMA, worker, tls } = options;
  const hosts = readHosts(connectionString, tls);
  assertWorker(worker);
  const wakes = createJoinedWakes(() => worker.wake());
  let isClosed = false;
  let retryMs = FIRST_RETRY_MS;
  let timer: NodeJS.Timeout | undefined;
  let client: pg.Client | null = null;
  let opening: Promise<void> = Promise.resolve();

  async function open(): Promise<void> {
    const address = await findWriter(hosts, CONNECT_WITHIN_MS).catch(() => null);
    if (address === null) retryLater();
    else await listenAt(address);
  }

  async function listenAt(address: string): Promise<void> {
    const next = new pg.Client({
      ...configOf(hosts, address),
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
      fallback_application_name: 'partner-hiring listener',
    });
    client = next;
    const lost = () => comeBack(next);
    next.on('error', lost);
    next.on('end', lost);
    const probe = `probe ${randomUUID()}`;
    next.on('notification', ({ payload = '' }) => {
      if (payload === probe) worker.setListening?.(true);
      else if (!payload.startsWith('probe ')) wakes.notify();
    });
    try {
      await next.connect();
      await next.query(`listen ${workChannel(schema)}`);
      // Through a pooler in transaction mode, no notification arrives. The worker then goes on polling.
      await next.query('select pg_catalog.pg_notify($1, $2)', [workChannel(schema), probe]);
      retryMs = FIRST_RETRY_MS;
      // Other processes may have committed work before `listen` took effect.
      worker.wake();
    } catch {
      lost();
    }
  }

  /**
   * Reconnects after a lost connection. Does so only once for each connection, although both `error` and
   * `end` may fire.
   */
  function comeBack(lost: pg.Client): void {
    if (lost !== client) return;
    client = null;
    // Until the next connection, the worker polls.
    worker.setListening?.(false);
    lost.end().catch(() => {});
    retryLater();
  }

  function retryLater(): void {
    if (isClosed) return;
    timer = setTimeout(() => {
      opening = open();
    }, retryMs);
    retryMs = Math.min(2 * retryMs, LONGEST_RETRY_MS);
  }

  opening = open();
  return {
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      wakes.close();
      await opening;
      const last = client;
      client = null;
      worker.setListening?.(false);
      await last?.end();
    },
  };
}

function assertWorker(worker: unknown): void {
  if (hasMethod(worker, 'wake')) return;
  throw storageMisconfiguration('listenForWork needs a worker to wake: pass `worker: partnerHiring.worker`.');
}
