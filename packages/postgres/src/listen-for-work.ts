import { OperatorError, type Worker } from '@partner-hiring/core';
import { checkOptionNames, type OptionNames } from '@partner-hiring/storage-kysely';
import pg from 'pg';
import { findWriter } from './find-writer.js';
import { readHosts } from './hosts.js';
import { hasMethod } from './pg-objects.js';
import { DEFAULT_SCHEMA } from './schema-name.js';
import { workChannel } from './work-channel.js';

/** How to hear of work that other processes commit. */
export interface WorkListenerOptions {
  /**
   * Straight to the server, not through a pooler in transaction mode: there nothing would ever be heard. It may name
   * several hosts, as that of a storage.
   */
  readonly connectionString: string;
  /** Where the tables lie. Default `partner_hiring`. */
  readonly schema?: string;
  /** Told to look at once. */
  readonly worker: Pick<Worker, 'wake'>;
}

const OPTIONS: OptionNames<WorkListenerOptions> = { connectionString: true, schema: true, worker: true };

/** A connection that listens until it is closed. */
export interface WorkListener {
  close(): Promise<void>;
}

/** A server that restarts is back within seconds; polling goes on meanwhile. */
const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 10_000;
/** A connection that nobody answers is given up; the next try may be luckier. */
const CONNECT_WITHIN_MS = 5_000;

/**
 * Lets a worker begin within milliseconds of a commit in another process, one whose storage was opened with
 * `announceWork`. It takes one connection of its own, which `LISTEN`s, and comes back by itself when that is
 * lost. Only a comfort: what it does not hear, the worker's polling finds.
 *
 * @throws OperatorError `MISCONFIGURED` if an option does not exist, `pg` cannot read the connection string, or it is empty, or no worker is given.
 */
export function listenForWork(options: WorkListenerOptions): WorkListener {
  checkOptionNames('listenForWork', options, OPTIONS);
  const { connectionString, schema = DEFAULT_SCHEMA, worker } = options;
  const hosts = readHosts(connectionString);
  assertWorker(worker);
  let isClosed = false;
  let retryMs = FIRST_RETRY_MS;
  let timer: NodeJS.Timeout | undefined;
  let client: pg.Client | null = null;
  let opening: Promise<void> = Promise.resolve();

  async function open(): Promise<void> {
    // A standby does not listen.
    const address = await findWriter(hosts, CONNECT_WITHIN_MS).catch(() => null);
    if (address === null) retryLater();
    else await listenAt(address);
  }

  async function listenAt(address: string): Promise<void> {
    const next = new pg.Client({
      connectionString: address,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
      fallback_application_name: 'partner-hiring listener',
    });
    client = next;
    const lost = () => comeBack(next);
    next.on('error', lost);
    next.on('end', lost);
    next.on('notification', () => worker.wake());
    try {
      await next.connect();
      await next.query(`listen ${workChannel(schema)}`);
      retryMs = FIRST_RETRY_MS;
      // What was committed while nobody listened.
      worker.wake();
    } catch {
      lost();
    }
  }

  /** Once for each connection, however many ways tell that it is lost. */
  function comeBack(lost: pg.Client): void {
    if (lost !== client) return;
    client = null;
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
      await opening;
      const last = client;
      client = null;
      await last?.end();
    },
  };
}

/** Without one it would listen, fail to tell, and take that for a lost connection for ever. */
function assertWorker(worker: unknown): void {
  if (hasMethod(worker, 'wake')) return;
  throw new OperatorError(
    'MISCONFIGURED',
    'listenForWork must be told whom to nudge: `worker: partnerHiring.worker`.',
  );
}
