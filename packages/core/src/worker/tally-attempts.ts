import { isSuccess } from '../domain/delivery.js';
import type { HourTally } from '../domain/hour-count.js';
import type { StorageClock } from '../storage-clock.js';
import type { WorkerObserver } from './worker-parts.js';

/** Counts each attempt that ends, for its key and for all keys. */
export function tallyAttempts(
  observer: WorkerObserver,
  tally: HourTally,
  { now }: Pick<StorageClock, 'now'>,
): WorkerObserver {
  return {
    ...observer,
    begin(endpoint, event) {
      const observed = observer.begin(endpoint, event);
      return {
        run: (post) => observed.run(post),
        broke: () => observed.broke(),
        end(outcome) {
          const name = isSuccess(outcome) ? 'succeeded' : 'failed';
          const at = now();
          tally.add({ kind: 'attempt', keyId: null, name }, at);
          tally.add({ kind: 'attempt', keyId: endpoint.keyId, name }, at);
          observed.end(outcome);
        },
      };
    },
  };
}
