import type { Repositories, Storage } from '@partner-hiring/core/ports';
import { afterEach, beforeEach } from 'vitest';
import { PATIENCE_MS } from '../patience.js';
import { pause } from './follow-feed.js';

/** A fresh, empty storage, and how a host of it opens a transaction of its own. */
export interface StorageUnderTest<HostTx> {
  readonly storage: Storage<HostTx>;
  /** Opens one more storage on the same database, as another process would. The suites close it. */
  another(): Promise<Storage<HostTx>>;
  /** Opens a transaction on a connection of the host's, runs work in it, and ends it so. */
  inHostTransaction<T>(end: 'commit' | 'rollback', work: (hostTx: HostTx) => Promise<T>): Promise<T>;
  /**
   * Moves the storage's clock on, for all storages on the database. Left out where that clock runs
   * by itself: the suite then waits until a window is over, a minute at most, and until leases have run out.
   */
  readonly advance?: (ms: number) => void;
  /** Closes the storage and removes what it lay in. */
  close(): Promise<void>;
}

/** Opens a fresh storage; the suites call it once for each test. */
export type OpenStorage<HostTx> = () => Promise<StorageUnderTest<HostTx>>;

/** The storage of the running test. */
export interface Opened<HostTx> {
  readonly storage: Storage<HostTx>;
  readonly direct: Repositories;
  /** One more storage on the same database, closed after the test. */
  another(): Promise<Storage<HostTx>>;
  inHostTransaction<T>(end: 'commit' | 'rollback', work: (hostTx: HostTx) => Promise<T>): Promise<T>;
  /** Lets the storage's time pass. */
  pass(ms: number): Promise<void>;
}

/** Opens a storage before each test of the running `describe`, and closes it afterwards. */
export function useStorage<HostTx>(open: OpenStorage<HostTx>): Opened<HostTx> {
  let opened: StorageUnderTest<HostTx> | undefined;
  const others: Storage<HostTx>[] = [];
  beforeEach(async () => {
    opened = await open();
  }, PATIENCE_MS);
  afterEach(async () => {
    await Promise.all(others.splice(0).map((other) => other.close()));
    await opened?.close();
    opened = undefined;
  }, PATIENCE_MS);
  function current(): StorageUnderTest<HostTx> {
    if (opened === undefined) throw new Error('No test is running.');
    return opened;
  }
  return {
    get storage() {
      return current().storage;
    },
    get direct() {
      return current().storage.direct;
    },
    another: async () => {
      const other = await current().another();
      others.push(other);
      return other;
    },
    inHostTransaction: (end, work) => current().inHostTransaction(end, work),
    pass: async (ms) => {
      const { advance, storage } = current();
      if (advance !== undefined) return advance(ms);
      const begun = await storage.direct.time.now();
      await pause(A_WHILE_MS);
      if ((await storage.direct.time.now()) === begun) throw new Error(STANDS_STILL);
      await pause(ms - A_WHILE_MS);
    },
  };
}

/** Within it every clock that runs has moved on by a millisecond. */
const A_WHILE_MS = 50;

const STANDS_STILL =
  "The storage's clock stands still. Hand `advance` over with the storage, which moves it on.";
