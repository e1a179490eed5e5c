import { type BatcherOptions, createBatcher } from '../../batcher.js';
import type { Clock } from '../../ports/runtime.js';
import { createSemaphore } from './semaphore.js';

/** Groups of one key each: none waits for another's batch. */
export interface BatcherByKey<Call, Answer> {
  /** Whether calls of that key wait or run. */
  has(key: string): boolean;
  /** Adds a call to its key's group; it ends as in any group. */
  add(key: string, call: Call): Promise<Answer>;
}

/** How groups of keys run. */
export interface BatcherByKeyOptions extends Partial<BatcherOptions> {
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
export function createBatcherByKey<Call, Answer>(
  run: (calls: readonly Call[]) => Promise<readonly Answer[]>,
  { maxBatches, maxWaitMs, clock, ...options }: BatcherByKeyOptions,
): BatcherByKey<Call, Answer> {
  const inPlace = createSemaphore(maxBatches, (signal) => clock.sleep(maxWaitMs, signal));
  const batchers = new Map<string, { readonly add: (call: Call) => Promise<Answer>; calls: number }>();

  function batcherOf(key: string) {
    const known = batchers.get(key);
    if (known !== undefined) return known;
    const batcher = {
      add: createBatcher((calls: readonly Call[]) => inPlace(() => run(calls)), options),
      calls: 0,
    };
    batchers.set(key, batcher);
    return batcher;
  }

  return {
    has: (key) => batchers.has(key),
    add: async (key, call) => {
      const batcher = batcherOf(key);
      batcher.calls += 1;
      try {
        return await batcher.add(call);
      } finally {
        batcher.calls -= 1;
        if (batcher.calls === 0) batchers.delete(key);
      }
    },
  };
}
