import type { Repositories, Storage } from '@partner-hiring/core/ports';
import { afterEach, beforeEach } from 'vitest';
import { TEST_TIMEOUT_MS } from '../fresh-window.js';
import { pause } from './follow-feed.js';
import { seed } from './samples.js';

/** A storage under test. */
export interface StorageUnderTest<HostTx> {
  readonly storage: Storage<HostTx>;
  /** Opens another storage on the same database. The suite closes it. */
  another(): Promise<Storage<HostTx>>;
  /** Runs work in a transaction on the host's own connection, then ends it. */
  inHostTransaction<T>(end: 'commit' | 'rollback', work: (hostTx: HostTx) => Promise<T>): Promise<T>;
  /**
   * Advances the clock of all storages on the database. If it is missing, the suite waits in real time, up to
   * a minute.
   */
  readonly advance?: (ms: number) => void;
  /**
   * Whether a claim that cannot take all rows takes those that have been due longest, over all keys. Default true. A
   * storage of several parts may first take the rows of one part.
   */
  readonly claimsAcrossKeys?: boolean;
  /** Closes the storage and deletes its data. */
  close(): Promise<void>;
}

/** Opens a new storage for each test. */
export type OpenStorage<HostTx> = () => Promise<StorageUnderTest<HostTx>>;

export interface Opened<HostTx> {
  readonly storage: Storage<HostTx>;
  readonly direct: Repositories;
  another(): Promise<Storage<HostTx>>;
  inHostTransaction<T>(end: 'commit' | 'rollback', work: (hostTx: HostTx) => Promise<T>): Promise<T>;
  pass(ms: number): Promise<void>;
  readonly claimsAcrossKeys: boolean;
}

export function useStorage<HostTx>(open: OpenStorage<HostTx>): Opened<HostTx> {
  let opened: StorageUnderTest<HostTx> | undefined;
  const others: Storage<HostTx>[] = [];
  beforeEach(async () => {
    opened = await open();
  }, TEST_TIMEOUT_MS);
  afterEach(async () => {
    await Promise.all(others.splice(0).map((other) => other.close()));
    await opened?.close();
    opened = undefined;
  }, TEST_TIMEOUT_MS);
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
    get claimsAcrossKeys() {
      return current().claimsAcrossKeys ?? true;
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

/** As `useStorage`, with the rows of `seed`. */
export function useSeededStorage<HostTx>(open: OpenStorage<HostTx>): Opened<HostTx> {
  const opened = useStorage(open);
  beforeEach(() => seed(opened.direct));
  return opened;
}

/** How long to wait until a running clock has surely advanced by a millisecond. */
const A_WHILE_MS = 50;

const STANDS_STILL =
  "The storage's clock does not run. Return `advance` with the storage, so that the suite can advance the clock.";
