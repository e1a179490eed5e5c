import type { Storage } from '@partner-hiring/core';
import type { HostTransaction } from '@partner-hiring/test-support/storages';

/** The faults of a storage. */
export interface Faults {
  /** Makes look-ups, leases, counts and transactions fail with this error; null for none. */
  failWith: (() => Error) | null;
  /** Makes another transaction conflict with the next one. */
  contend: boolean;
}

/** A storage that fails or conflicts on demand. */
export function withFaults(storage: Storage<HostTransaction>, faults: Faults): Storage<HostTransaction> {
  const check = () => {
    if (faults.failWith !== null) throw faults.failWith();
  };
  const { direct } = storage;
  return {
    ...storage,
    direct: {
      ...direct,
      keys: {
        ...direct.keys,
        findByHashes: async (hashes) => {
          check();
          return direct.keys.findByHashes(hashes);
        },
      },
      endpoints: {
        ...direct.endpoints,
        lease: async (...args) => {
          check();
          return direct.endpoints.lease(...args);
        },
        backlogs: async (...args) => {
          check();
          return direct.endpoints.backlogs(...args);
        },
      },
    },
    transaction: (work) =>
      storage.transaction(async (tx) => {
        check();
        if (!faults.contend) return work(tx);
        faults.contend = false;
        await work(tx);
        return work(tx);
      }),
  };
}
