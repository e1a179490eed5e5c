import { IDEMPOTENCY_WAIT_MS } from '../domain/idempotency.js';
import type { Clock } from '../ports/runtime.js';

/** Waits until no other call with the key runs, then runs `work`. Returns null if the wait times out. */
export type WithIdempotencyLock<Outcome> = (
  key: string,
  work: () => Promise<Outcome>,
) => Promise<Outcome | null>;

/**
 * A request waits up to two seconds while another request with the same idempotency key runs. If that request binds the
 * key, the waiting ones become replays. Between processes, the unique constraint of the storage decides.
 */
export function createIdempotencyLock<Outcome>(
  clock: Clock,
  binds: (outcome: Outcome) => boolean,
): WithIdempotencyLock<Outcome> {
  const holders = new Map<string, Promise<boolean>>();

  async function hold(key: string, work: () => Promise<Outcome>): Promise<Outcome> {
    const running = work();
    holders.set(
      key,
      running.then(binds, () => false),
    );
    try {
      return await running;
    } finally {
      holders.delete(key);
    }
  }

  return async (key, work) => {
    if (!holders.has(key)) return hold(key, work);
    const waiting = new AbortController();
    const timeout = clock.sleep(IDEMPOTENCY_WAIT_MS, waiting.signal).then(() => 'timed_out' as const);
    try {
      for (let holder = holders.get(key); holder !== undefined; holder = holders.get(key)) {
        const end = await Promise.race([holder, timeout]);
        if (end === 'timed_out') return null;
        if (end) return await work();
      }
      return await hold(key, work);
    } finally {
      waiting.abort();
    }
  };
}
