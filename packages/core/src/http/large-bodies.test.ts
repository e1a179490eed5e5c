import { expect, it } from 'vitest';
import type { KeyId } from '../domain/ids.js';
import { createLargeBodies } from './large-bodies.js';

function hold(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

it('alternates between keys, however many bodies one key sends', async () => {
  const { work } = createLargeBodies();
  const done: string[] = [];
  const send = (keyId: KeyId, name: string) => work(keyId, () => void done.push(name));
  await Promise.all([
    ...['a1', 'a2', 'a3', 'a4'].map((name) => send('key_a', name)),
    ...['b1', 'b2'].map((name) => send('key_b', name)),
  ]);
  expect(done).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'a4']);
});

it('leaves the event loop free between two bodies', async () => {
  const { work } = createLargeBodies();
  const order: string[] = [];
  const bodies = ['first', 'second', 'third'].map((name) =>
    work('key_a', () => {
      order.push(name);
      hold(5);
      setImmediate(() => order.push(`after ${name}`));
    }),
  );
  await Promise.all(bodies);
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(order).toEqual(['first', 'after first', 'second', 'after second', 'third', 'after third']);
});

it('returns the result of the work, and continues after work that throws', async () => {
  const { work } = createLargeBodies();
  const failed = work('key_a', () => {
    throw new Error('Not this one.');
  });
  const returned = work('key_a', () => 7);
  await expect(failed).rejects.toThrow('Not this one.');
  expect(await returned).toBe(7);
  expect(await work('key_b', () => 8)).toBe(8);
});

function createReads() {
  const { take } = createLargeBodies();
  const ends: (() => void)[] = [];
  return {
    ends,
    read: (keyId: KeyId, timeoutMs = 1_000) =>
      take(keyId, timeoutMs, () => new Promise((resolve) => ends.push(() => resolve(new Uint8Array())))),
  };
}

it('reads eight bodies of a key at one time, beside those of other keys', async () => {
  const { read, ends } = createReads();
  const reads = Array.from({ length: 20 }, () => read('key_a'));
  const other = read('key_b');
  await new Promise(setImmediate);
  expect(ends).toHaveLength(9);
  for (let ended = 0; ended < 21; ended += 1) {
    ends[ended]?.();
    await new Promise(setImmediate);
  }
  expect((await Promise.all([...reads, other])).every((body) => body instanceof Uint8Array)).toBe(true);
});

it('does not read a body that times out waiting, and leaves its permit to others', async () => {
  const { read, ends } = createReads();
  const reads = Array.from({ length: 8 }, () => read('key_a'));
  expect(await read('key_a', 10)).toBe('timed_out');
  for (const end of ends) end();
  await Promise.all(reads);
  expect(ends).toHaveLength(8);
  const again = Array.from({ length: 8 }, () => read('key_a'));
  await new Promise(setImmediate);
  expect(ends).toHaveLength(16);
  for (const end of ends) end();
  await Promise.all(again);
});

it('releases the permit of a read that fails', async () => {
  const { take } = createLargeBodies();
  for (let count = 0; count < 9; count += 1) {
    await expect(take('key_a', 1_000, () => Promise.reject(new Error('Gone.')))).rejects.toThrow('Gone.');
  }
});

it('gives a body that waited only the rest of the time', async () => {
  const { take } = createLargeBodies();
  const first = Array.from({ length: 8 }, () =>
    take('key_a', 1_000, () => new Promise((resolve) => setTimeout(resolve, 30, new Uint8Array()))),
  );
  let left = 0;
  await take('key_a', 1_000, async (leftMs) => {
    left = leftMs;
    return new Uint8Array();
  });
  await Promise.all(first);
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThanOrEqual(1_000 - 25);
});

it('holds a body’s permit until the work on it ends', async () => {
  const { take, work } = createLargeBodies();
  let held = 0;
  let most = 0;
  const submit = () =>
    take('key_a', 10_000, async () => {
      held += 1;
      most = Math.max(most, held);
      await work('key_a', () => {});
      held -= 1;
    });
  await Promise.all(Array.from({ length: 40 }, submit));
  expect([most, held]).toEqual([8, 0]);
});
