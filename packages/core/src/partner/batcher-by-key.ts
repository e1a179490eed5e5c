import { type BatcherOptions, createBatcher } from '../batcher.js';
import { getOrAdd } from '../domain/get-or-add.js';
import { StorageUnavailable } from '../errors.js';
import type { Clock } from '../ports/runtime.js';

export interface BatcherByKey<Call, Answer> {
  has(key: string): boolean;
  add(key: string, call: Call): Promise<Answer>;
}

export interface BatcherByKeyOptions extends Partial<BatcherOptions> {
  readonly maxBatches: number;
  /** In milliseconds. A batch that waits longer for a permit rejects with `StorageUnavailable`. */
  readonly maxWaitMs: number;
  readonly clock: Pick<Clock, 'sleep'>;
}

export function createBatcherByKey<Call, Answer>(
  run: (calls: readonly Call[]) => Promise<readonly Answer[]>,
  { maxBatches, maxWaitMs, clock, ...options }: BatcherByKeyOptions,
): BatcherByKey<Call, Answer> {
  const withPermit = createSemaphore(maxBatches, (signal) => clock.sleep(maxWaitMs, signal));
  const batchers = new Map<string, { readonly add: (call: Call) => Promise<Answer>; calls: number }>();

  function batcherOf(key: string) {
    return getOrAdd(batchers, key, () => ({
      add: createBatcher((calls: readonly Call[]) => withPermit(() => run(calls)), options),
      calls: 0,
    }));
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

/**
 * Grants permits in order of arrival. A wait rejects when `timeout` resolves. Granting the permit aborts the
 * signal of `timeout`.
 */
function createSemaphore(
  permits: number,
  timeout: (signal: AbortSignal) => Promise<void>,
): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting = new Set<() => void>();
  let free = permits;

  function wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      const waitEnded = new AbortController();
      const begin = () => {
        waiting.delete(begin);
        waitEnded.abort();
        resolve();
      };
      waiting.add(begin);
      void timeout(waitEnded.signal).then(() => {
        if (waiting.delete(begin)) reject(new StorageUnavailable(TIMED_OUT));
      });
    });
  }

  function release(): void {
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
      release();
    }
  };
}

const TIMED_OUT =
  'Timed out waiting for a lock: other transactions hold the feeds of too many keys. Keep transactions that call the operator short.';
