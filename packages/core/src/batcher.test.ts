import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, test } from 'vitest';
import { type BatcherOptions, createBatcher } from './batcher.js';
import { StorageUnavailable } from './errors.js';

/** A group over a batch that the test ends by hand. */
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

/** A group that records how large its batches are. */
function countedGroup(options: Partial<BatcherOptions>) {
  const sizes: number[] = [];
  const call = createBatcher<number, number>(async (calls) => {
    sizes.push(calls.length);
    return calls;
  }, options);
  return { sizes, call };
}

/** Makes one call in each of some turns of the event loop. */
async function callOverTurns(call: (value: number) => Promise<number>, turns: number): Promise<void> {
  const answers: Promise<number>[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    answers.push(call(turn));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(answers);
}

describe('a group', () => {
  test('answers a lone call', async () => {
    const batcher = createBatcher<number, number>(async (calls) => calls.map((call) => call * 2));
    expect(await batcher(21)).toBe(42);
    expect(await batcher(4)).toBe(8);
  });

  test('gives each call its own answer, in the order of the calls', async () => {
    const seen: (readonly number[])[] = [];
    const batcher = createBatcher<number, number>(async (calls) => {
      seen.push(calls);
      return calls.map((call) => call * 2);
    });
    expect(await Promise.all([3, 1, 2].map(batcher))).toEqual([6, 2, 4]);
    expect(seen).toEqual([[3, 1, 2]]);
  });

  test('makes the calls that arrive while a batch runs the next batch, and never runs two at once', async () => {
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

  test('starts with what one turn of the event loop brought, unless it gathers', async () => {
    const { sizes, call } = countedGroup({});
    await callOverTurns(call, 3);
    expect(sizes[0]).toBe(1);
  });

  test('gathers those who are on their way, until a turn brings none', async () => {
    const { sizes, call } = countedGroup({ gathers: true });
    await callOverTurns(call, 3);
    expect(sizes).toEqual([3]);
  });

  test('gathers no more than the limit', async () => {
    const { sizes, call } = countedGroup({ gathers: true, maxBatch: 2 });
    await callOverTurns(call, 5);
    expect(sizes[0]).toBe(2);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(5);
  });

  test('never hands over more than the limit, and leaves nobody behind', async () => {
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

  test('runs a batch that fails call by call: the one that fails alone takes no neighbour down', async () => {
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

  test('tells once why a batch was run again call by call, though every call then succeeds', async () => {
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
    // Their callers hear of these.
    await expect(batcher(13)).rejects.toThrow('no batch');
    await expect(Promise.all([batcher(0), batcher(1)])).rejects.toThrow('down');
    expect(told).toHaveLength(1);
  });

  test('fails a batch as a whole when the storage is down: trying each call would only wait as many times', async () => {
    let runs = 0;
    const batcher = createBatcher<number, number>(async () => {
      runs++;
      throw new StorageUnavailable('down');
    });
    const results = await Promise.allSettled([1, 2, 3].map(batcher));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(runs).toBe(1);
  });

  test('treats a batch that throws at once, or answers too few, as one that fails', async () => {
    const throwing = createBatcher<number, number>((calls) => {
      if (calls.length > 1) throw new Error('at once');
      return Promise.resolve(calls);
    });
    expect(await Promise.all([1, 2].map(throwing))).toEqual([1, 2]);
    const forgetful = createBatcher<number, number>(async (calls) => calls.slice(1));
    await expect(forgetful(1)).rejects.toThrow('must answer each');
  });

  test('takes calls that are made while an answer is handled', async () => {
    const batcher = createBatcher<number, number>(async (calls) => calls);
    expect(await batcher(1).then(() => batcher(2))).toBe(2);
  });

  test('runs each batch in the async context of its first call, not of whoever found it idle', async () => {
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
