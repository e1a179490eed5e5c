import type { PollRequest } from '../../../packages/core/src/ports/repositories/endpoints.js';
import type { WorkerParts } from '../../../packages/core/src/worker/worker.js';

/** Counts the calls of a storage. */
export interface WatchedStorage {
  readonly storage: WorkerParts['storage'];
  leases(): number;
  polls(): number;
  /** The polls without an answer so far. */
  polling(): number;
  polledFor(): readonly PollRequest[];
  /** The leased endpoints. */
  leased(): number;
  transactions(): number;
}

export function watchStorage({ direct, transaction }: WorkerParts['storage']): WatchedStorage {
  let [leases, polls, polling, leased, transactions] = [0, 0, 0, 0, 0];
  const polledFor: PollRequest[] = [];
  const endpoints: typeof direct.endpoints = {
    ...direct.endpoints,
    async lease(...asked) {
      leases += 1;
      const found = await direct.endpoints.lease(...asked);
      leased += found.length;
      return found;
    },
    async poll(asked, now) {
      polls += 1;
      polling += 1;
      polledFor.push(...asked);
      return direct.endpoints.poll(asked, now).finally(() => {
        polling -= 1;
      });
    },
  };
  return {
    storage: {
      direct: { ...direct, endpoints },
      transaction(work) {
        transactions += 1;
        return transaction(work);
      },
    },
    leases: () => leases,
    polls: () => polls,
    polling: () => polling,
    polledFor: () => polledFor,
    leased: () => leased,
    transactions: () => transactions,
  };
}
