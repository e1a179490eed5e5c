import { expect, test } from 'vitest';
import { createKeyedQueue } from './keyed-queue.js';

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A queue whose work the test ends, and a log of what started. */
function createStage() {
  const inTurn = createKeyedQueue();
  const begun: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const add = (turn: string, name: string) =>
    inTurn(
      turn,
      () =>
        new Promise<string>((resolve, reject) => {
          begun.push(name);
          ends.set(name, (error) => (error === undefined ? resolve(name) : reject(error)));
        }),
    );
  const end = async (name: string, error?: Error) => {
    await settle();
    ends.get(name)?.(error);
    await settle();
  };
  return { begun, add, end };
}

test('runs work with the same name in order', async () => {
  const { begun, add, end } = createStage();
  const first = add('a', 'first');
  const second = add('a', 'second');
  await end('first');
  expect([await first, begun]).toEqual(['first', ['first', 'second']]);
  const third = add('a', 'third');
  await settle();
  expect(begun).toEqual(['first', 'second']);
  await end('second');
  await end('third');
  expect([await second, await third]).toEqual(['second', 'third']);
});

test('continues after a failure, and runs other names concurrently', async () => {
  const { begun, add, end } = createStage();
  const failed = add('a', 'failed').catch((error: unknown) => error);
  const next = add('a', 'next');
  const other = add('b', 'other');
  await settle();
  expect(begun).toEqual(['failed', 'other']);
  await end('failed', new Error('no'));
  expect([await failed, begun]).toEqual([new Error('no'), ['failed', 'other', 'next']]);
  await end('next');
  await end('other');
  expect([await next, await other]).toEqual(['next', 'other']);
});
