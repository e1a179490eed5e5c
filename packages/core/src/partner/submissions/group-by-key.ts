import { createGroup, type GroupOptions } from '../../group.js';
import type { Clock } from '../../ports/runtime.js';
import { createPlaces } from './places.js';

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
