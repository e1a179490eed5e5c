import { IDEMPOTENCY_WAIT_MS } from '../../domain/idempotency.js';
import type { Clock } from '../../ports/runtime.js';

/** What a holder's work left behind: the key bound by a committed 201, or free again. */
interface Turn<Outcome> {
  readonly binds: boolean;
  readonly outcome: Outcome;
}

/** Runs work for a key in its turn; null if the turn did not come within the wait. */
export type TakeTurn<Outcome> = (key: string, work: () => Promise<Outcome>) => Promise<Outcome | null>;

/**
 * Lets one request of a key work at a time. The others wait, two seconds at most: once the key is bound they
 * all go on together, as replays; if it came free, the next of them works.
 *
 * It orders the requests of one process. Between processes the storage's unique constraint has the last word.
 */
export function createIdempotencyLock<Outcome>(
  clock: Clock,
  binds: (outcome: Outcome) => boolean,
): TakeTurn<Outcome> {
  const holders = new Map<string, Promise<boolean>>();

  async function hold(key: string, work: () => Promise<Outcome>): Promise<Outcome> {
    const running = runTurn(work, binds);
    holders.set(
      key,
      running.then(
        (turn) => turn.binds,
        () => false,
      ),
    );
    try {
      return (await running).outcome;
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

async function runTurn<Outcome>(
  work: () => Promise<Outcome>,
  binds: (outcome: Outcome) => boolean,
): Promise<Turn<Outcome>> {
  const outcome = await work();
  return { binds: binds(outcome), outcome };
}
