import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, test } from 'vitest';
import { type BatcherOptions, createBatcher } from './batcher.js';
import { StorageUnavailable } from './errors.js';

function heldGroup(maxBatch = 256) {
  const batches: { calls: readonly number[]; end: () => void }[] = [];
  const started: (() => void)[] = [];
  const call = createBatcher<number, string>(
    (calls) =>
      new Promise((resolve) => {
        batches.push({ calls, end: () => resolve(calls.map(String)) });
        started.shift()?.();
      }),
    { maxBatch },
  );
  return { call, batches, nextBatch: () => new Promise<void>((resolve) => started.push(resolve)) };
}

function countedGroup(options: Partial<BatcherOptions>) {
  const sizes: number[] = [];
  const call = createBatcher<number, number>(async (calls) => {
    sizes.push(calls.length);
    return calls;
  }, options);
  return { sizes, call };
}

async function callOverTurns(call: (value: number) => Promise<number>, turns: number): Promise<void> {
  const answers: Promise<number>[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    answers.push(call(turn));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(answers);
}

describe('createBatcher', () => {
  test('resolves a lone call', async () => {
    const batcher = createBatcher<number, number>(async (calls) => calls.map((call) => call * 2));
    expect(await batcher(21)).toBe(42);
    expect(await batcher(4)).toBe(8);
  });

  test('resolves each call with its own result', async () => {
    const seen: (readonly number[])[] = [];
    const batcher = createBatcher<number, number>(async (calls) => {
      seen.push(calls);
      return calls.map((call) => call * 2);
    });
    expect(await Promise.all([3, 1, 2].map(batcher))).toEqual([6, 2, 4]);
    expect(seen).toEqual([[3, 1, 2]]);
  });

  test('batches the calls that arrive while a batch runs, and never runs two batches at once', async () => {
    const { call, batches, nextBatch } = heldGroup();
    const first = nextBatch();
    const answers = [call(1)];
    await first;
    answers.push(call(2), call(3));
    await new Promise((resolve) => setImmediate(resolve));
    expect(batches.map(({ calls }) => calls)).toEqual([[1]]);
    const second = nextBatch();
    batches[0]?.end();
    await second;
    expect(batches.map(({ calls }) => calls)).toEqual([[1], [2, 3]]);
    batches[1]?.end();
    expect(await Promise.all(answers)).toEqual(['1', '2', '3']);
  });

  test('starts at the end of the event-loop turn, unless it gathers', async () => {
    const { sizes, call } = countedGroup({});
    await callOverTurns(call, 3);
    expect(sizes[0]).toBe(1);
  });

  test('waits while each turn brings more calls', async () => {
    const { sizes, call } = countedGroup({ gathers: true });
    await callOverTurns(call, 3);
    expect(sizes).toEqual([3]);
  });

  test('stops gathering at the limit', async () => {
    const { sizes, call } = countedGroup({ gathers: true, maxBatch: 2 });
    await callOverTurns(call, 5);
    expect(sizes[0]).toBe(2);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(5);
  });

  test('never exceeds the limit and never drops a call', async () => {
    const sizes: number[] = [];
    const batcher = createBatcher<number, number>(
      async (calls) => {
        sizes.push(calls.length);
        return calls;
      },
      { maxBatch: 4 },
    );
    const calls = Array.from({ length: 10 }, (_, index) => index);
    expect(await Promise.all(calls.map(batcher))).toEqual(calls);
    expect(sizes).toEqual([4, 4, 2]);
  });

  test('runs a failed batch again one call at a time, so that only the bad call fails', async () => {
    const batcher = createBatcher<number, number>(async (calls) => {
      if (calls.includes(13)) throw new Error('thirteen');
      return calls;
    });
    const results = await Promise.allSettled([12, 13, 14].map(batcher));
    expect(results).toEqual([
      { status: 'fulfilled', value: 12 },
      { status: 'rejected', reason: new Error('thirteen') },
      { status: 'fulfilled', value: 14 },
    ]);
    expect(await batcher(15)).toBe(15);
  });

  test('reports a failed batch once, even if every call then succeeds', async () => {
    const told: unknown[] = [];
    const batcher = createBatcher<number, number>(
      async (calls) => {
        if (calls.includes(0)) throw new StorageUnavailable('down');
        if (calls.length > 1 || calls.includes(13)) throw new Error('no batch');
        return calls;
      },
      { onBroken: (size, err) => told.push([size, err]) },
    );
    expect(await Promise.all([1, 2, 3].map(batcher))).toEqual([1, 2, 3]);
    expect(told).toEqual([[3, new Error('no batch')]]);
    await expect(batcher(13)).rejects.toThrow('no batch');
    await expect(Promise.all([batcher(0), batcher(1)])).rejects.toThrow('down');
    expect(told).toHaveLength(1);
  });

  test('fails the whole batch if the storage is unavailable', async () => {
    let runs = 0;
    const batcher = createBatcher<number, number>(async () => {
      runs++;
      throw new StorageUnavailable('down');
    });
    const results = await Promise.allSettled([1, 2, 3].map(batcher));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(runs).toBe(1);
  });

  test('treats a batch that throws synchronously or returns too few results as failed', async () => {
    const throwing = createBatcher<number, number>((calls) => {
      if (calls.length > 1) throw new Error('at once');
      return Promise.resolve(calls);
    });
    expect(await Promise.all([1, 2].map(throwing))).toEqual([1, 2]);
    const forgetful = createBatcher<number, number>(async (calls) => calls.slice(1));
    await expect(forgetful(1)).rejects.toThrow('one answer for each call');
  });

  test('accepts calls made while a result is handled', async () => {
    const batcher = createBatcher<number, number>(async (calls) => calls);
    expect(await batcher(1).then(() => batcher(2))).toBe(2);
  });

  test('runs each batch in the async context of its first call', async () => {
    const caller = new AsyncLocalStorage<number>();
    const seen: { readonly first: number | undefined; readonly caller: number | undefined }[] = [];
    const batcher = createBatcher<number, number>(
      async (calls) => {
        await new Promise((resolve) => setImmediate(resolve));
        seen.push({ first: calls[0], caller: caller.getStore() });
        return calls;
      },
      { maxBatch: 2 },
    );
    const call = (value: number) => caller.run(value, () => batcher(value));
    await Promise.all([call(1), call(2), call(3).then(() => call(6)), call(4), call(5)]);
    expect(seen.map(({ first }) => first)).toEqual([1, 3, 5]);
    expect(seen.map((each) => each.caller)).toEqual([1, 3, 5]);
  });
});
