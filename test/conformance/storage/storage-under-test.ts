import type { Repositories, Storage } from '@partner-hiring/core/ports';
import { afterEach, beforeEach } from 'vitest';

/** A fresh, empty storage, and how a host of it opens a transaction of its own. */
export interface StorageUnderTest<HostTx> {
  readonly storage: Storage<HostTx>;
  /** Opens a transaction on a connection of the host's, runs work in it, and ends it so. */
  inHostTransaction<T>(end: 'commit' | 'rollback', work: (hostTx: HostTx) => Promise<T>): Promise<T>;
  /** Closes the storage and removes what it lay in. */
  close(): Promise<void>;
}

/** Opens a fresh storage; the suites call it once for each test. */
export type OpenStorage<HostTx> = () => Promise<StorageUnderTest<HostTx>>;

/** The storage of the running test. */
export interface Opened<HostTx> {
  readonly storage: Storage<HostTx>;
  readonly direct: Repositories;
  inHostTransaction<T>(end: 'commit' | 'rollback', work: (hostTx: HostTx) => Promise<T>): Promise<T>;
}

/** Opens a storage before each test of the running `describe`, and closes it afterwards. */
export function useStorage<HostTx>(open: OpenStorage<HostTx>): Opened<HostTx> {
  let opened: StorageUnderTest<HostTx> | undefined;
  beforeEach(async () => {
    opened = await open();
  });
  afterEach(async () => {
    await opened?.close();
    opened = undefined;
  });
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
    inHostTransaction: (end, work) => current().inHostTransaction(end, work),
  };
}
