import { StorageUnavailable } from '../errors.js';
import { createGroup, type GroupOptions } from '../group.js';
import type { Clock } from '../ports/runtime.js';

/** Groups of one key each: none waits for another's batch. */
export interface GroupByKey<Call, Answer> {
  /** Whether calls of that key wait or run. */
  has(key: string): boolean;
  /** Adds a call to its key's group; it ends as in any group. */
  add(key: string, call: Call): Promise<Answer>;
}

/** How groups of keys run. */
export interface GroupByKeyOptions extends Partial<GroupOptions> {
  /** Batches at one time, each of another key. Those of further keys wait for one of them to end. */
  readonly maxBatches: number;
  /** How long they wait, in milliseconds. */
  readonly maxWaitMs: number;
  readonly clock: Pick<Clock, 'sleep'>;
}

/**
 * Collects the calls of each key and hands them over together; several keys' batches run at one time. Where it is not
 * a batch's turn within the wait, its calls reject with `StorageUnavailable`.
 */
export function createGroupByKey<Call, Answer>(
  run: (calls: readonly Call[]) => Promise<readonly Answer[]>,
  { maxBatches, maxWaitMs, clock, ...options }: GroupByKeyOptions,
): GroupByKey<Call, Answer> {
  const inPlace = createPlaces(maxBatches, (signal) => clock.sleep(maxWaitMs, signal));
  const groups = new Map<string, { readonly add: (call: Call) => Promise<Answer>; calls: number }>();

  function groupOf(key: string) {
    const known = groups.get(key);
    if (known !== undefined) return known;
    const group = {
      add: createGroup((calls: readonly Call[]) => inPlace(() => run(calls)), options),
      calls: 0,
    };
    groups.set(key, group);
    return group;
  }

  return {
    has: (key) => groups.has(key),
    add: async (key, call) => {
      const group = groupOf(key);
      group.calls += 1;
      try {
        return await group.add(call);
      } finally {
        group.calls -= 1;
        if (group.calls === 0) groups.delete(key);
      }
    },
  };
}

/** Runs so much at one time, the rest in its order, as long as the patience lasts. */
function createPlaces(
  total: number,
  patience: (signal: AbortSignal) => Promise<void>,
): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting = new Set<() => void>();
  let free = total;

  function wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      const isTurn = new AbortController();
      const begin = () => {
        waiting.delete(begin);
        isTurn.abort();
        resolve();
      };
      waiting.add(begin);
      void patience(isTurn.signal).then(() => {
        if (waiting.delete(begin)) reject(new StorageUnavailable('Others held the feeds of too many keys.'));
      });
    });
  }

  function leave(): void {
    const [next] = waiting;
    if (next === undefined) free += 1;
    else next();
  }

  return async (work) => {
    if (free > 0) free -= 1;
    else await wait();
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
