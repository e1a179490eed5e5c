import { expect, it } from 'vitest';
import type { KeyId } from '../domain/ids.js';
import { createLargeBodyQueue } from './large-bodies.js';

/** Holds the event loop, as reading a large body does. */
function hold(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

it('keys take turns, however many bodies one of them sends', async () => {
  const work = createLargeBodyQueue();
  const done: string[] = [];
  const send = (keyId: KeyId, name: string) => work(keyId, () => void done.push(name));
  await Promise.all([
    ...['a1', 'a2', 'a3', 'a4'].map((name) => send('key_a', name)),
    ...['b1', 'b2'].map((name) => send('key_b', name)),
  ]);
  expect(done).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'a4']);
});

it('leaves the event loop free for others between two bodies', async () => {
  const work = createLargeBodyQueue();
  const order: string[] = [];
  const bodies = ['first', 'second', 'third'].map((name) =>
    work('key_a', () => {
      order.push(name);
      hold(5);
      // What arrives while the body is read comes before the next body.
      setImmediate(() => order.push(`after ${name}`));
    }),
  );
  await Promise.all(bodies);
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(order).toEqual(['first', 'after first', 'second', 'after second', 'third', 'after third']);
});

it('returns what the work returns, and one that throws takes nothing else with it', async () => {
  const work = createLargeBodyQueue();
  const failed = work('key_a', () => {
    throw new Error('Not this one.');
  });
  const returned = work('key_a', () => 7);
  await expect(failed).rejects.toThrow('Not this one.');
  expect(await returned).toBe(7);
  // An idle queue starts again.
  expect(await work('key_b', () => 8)).toBe(8);
});
