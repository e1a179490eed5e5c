import { createFakeClock } from '@partner-hiring/test-support/clock';
import { describe, expect, it } from 'vitest';
import { StorageUnavailable } from '../errors.js';
import { createBatcherByKey } from './batcher-by-key.js';

function heldBatchers(maxBatches: number) {
  const clock = createFakeClock();
  const batches: { readonly calls: readonly string[]; readonly end: () => void }[] = [];
  const batchers = createBatcherByKey<string, string>(
    (calls) =>
      new Promise((resolve) => {
        batches.push({ calls, end: () => resolve(calls.map((call) => `${call}!`)) });
      }),
    { maxBatches, maxWaitMs: 1_000, clock },
  );
  const add = (call: string) => batchers.add(call.slice(0, 1), call);
  const begun = async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return batches.map(({ calls }) => calls);
  };
  return { clock, batchers, batches, add, begun };
}

describe('batchers by key', () => {
  it('run the calls of a key together, beside those of other keys', async () => {
    const { batches, add, begun } = heldBatchers(2);
    const first = [add('a1'), add('b1'), add('a2')];
    expect(await begun()).toEqual([['a1', 'a2'], ['b1']]);
    const next = add('b2');
    batches[1]?.end();
    expect(await first[1]).toBe('b1!');
    expect(await begun()).toEqual([['a1', 'a2'], ['b1'], ['b2']]);
    for (const { end } of batches) end();
    expect(await Promise.all([...first, next])).toEqual(['a1!', 'b1!', 'a2!', 'b2!']);
  });

  it('run at most `maxBatches` at one time, in their order', async () => {
    const { batches, add, begun } = heldBatchers(1);
    const calls = ['a1', 'b1', 'c1'].map(add);
    expect(await begun()).toEqual([['a1']]);
    batches[0]?.end();
    expect(await begun()).toEqual([['a1'], ['b1']]);
    batches[1]?.end();
    expect(await begun()).toEqual([['a1'], ['b1'], ['c1']]);
    batches[2]?.end();
    expect(await Promise.all(calls)).toEqual(['a1!', 'b1!', 'c1!']);
  });

  it('keep the limit after a batch ends with an empty queue', async () => {
    const { batches, add, begun } = heldBatchers(1);
    const first = add('a1');
    await begun();
    batches[0]?.end();
    await first;
    const calls = ['b1', 'c1'].map(add);
    expect(await begun()).toEqual([['a1'], ['b1']]);
    batches[1]?.end();
    expect(await begun()).toEqual([['a1'], ['b1'], ['c1']]);
    batches[2]?.end();
    expect(await Promise.all(calls)).toEqual(['b1!', 'c1!']);
  });

  it('reject calls that have waited for `maxWaitMs`', async () => {
    const { clock, batchers, batches, add, begun } = heldBatchers(1);
    const first = add('a1');
    await begun();
    const late = Promise.allSettled([add('b1'), add('b2')]);
    await begun();
    await clock.advance(1_000);
    expect(await late).toMatchObject([
      { reason: expect.any(StorageUnavailable) },
      { reason: expect.any(StorageUnavailable) },
    ]);
    expect(batchers.has('b')).toBe(false);
    const next = add('c1');
    await begun();
    batches[0]?.end();
    expect([await first, await begun()]).toEqual(['a1!', [['a1'], ['c1']]]);
    batches[1]?.end();
    expect(await next).toBe('c1!');
  });

  it('know a key while its calls are queued or running', async () => {
    const { batchers, batches, add, begun } = heldBatchers(1);
    expect(batchers.has('a')).toBe(false);
    const calls = [add('a1'), add('b1')];
    expect([batchers.has('a'), batchers.has('b'), batchers.has('c')]).toEqual([true, true, false]);
    await begun();
    batches[0]?.end();
    await calls[0];
    expect([batchers.has('a'), batchers.has('b')]).toEqual([false, true]);
    await begun();
    batches[1]?.end();
    await calls[1];
    expect(batchers.has('b')).toBe(false);
  });

  it('release the permit of a batch that fails', async () => {
    const batchers = createBatcherByKey<string, string>(
      async (calls) => {
        if (calls.includes('bad')) throw new Error('It broke.');
        return calls;
      },
      { maxBatches: 1, maxWaitMs: 1_000, clock: createFakeClock() },
    );
    await expect(batchers.add('a', 'bad')).rejects.toThrow('It broke.');
    expect(await batchers.add('b', 'good')).toBe('good');
  });
});
