import type { PollRequest } from '../../../packages/core/src/ports/repositories/endpoints.js';
import type { WorkerParts } from '../../../packages/core/src/worker/worker.js';

/** What workers do to a storage, counted. */
export interface WatchedStorage {
  readonly storage: WorkerParts['storage'];
  /** How often they asked for endpoints to lease. */
  leases(): number;
  /** How often lanes looked for more to send. */
  looks(): number;
  /** What lanes asked for with those looks. */
  lookedFor(): readonly PollRequest[];
  /** How many endpoints they were given. */
  leased(): number;
  /** How many transactions they ran: each records something. */
  transactions(): number;
}

/** The same storage, watched. */
export function watchStorage({ direct, transaction }: WorkerParts['storage']): WatchedStorage {
  let [leases, looks, leased, transactions] = [0, 0, 0, 0];
  const lookedFor: PollRequest[] = [];
  const endpoints: typeof direct.endpoints = {
    ...direct.endpoints,
    async lease(...asked) {
      leases += 1;
      const found = await direct.endpoints.lease(...asked);
      leased += found.length;
      return found;
    },
    poll(asked, now) {
      looks += 1;
      lookedFor.push(...asked);
      return direct.endpoints.poll(asked, now);
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
    looks: () => looks,
    lookedFor: () => lookedFor,
    leased: () => leased,
    transactions: () => transactions,
  };
}
