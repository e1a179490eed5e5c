import type { Storage } from '@partner-hiring/core/ports';
import type { HostTransaction } from '@partner-hiring/test-support/storages';

/** What goes wrong in a storage when the story says so. */
export interface Faults {
  /** Its look-ups, leases, counts and transactions fail with this; null for not. */
  failWith: (() => Error) | null;
  /** Another transaction gets in the way of the next. */
  contend: boolean;
}

/** A storage that fails, or that another transaction gets in the way of, when the story says so. */
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
