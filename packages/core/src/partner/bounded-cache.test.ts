import { expect, it } from 'vitest';
import { createBoundedCache } from './key-cache.js';

it('returns the last value of a name until it is forgotten', () => {
  const cache = createBoundedCache<number>(2);
  cache.learn('a', 1);
  cache.learn('a', 2);
  cache.learn('b', 3);
  expect([cache.find('a'), cache.find('b'), cache.find('c')]).toEqual([2, 3, undefined]);
  cache.forget('a');
  expect(cache.find('a')).toBeUndefined();
});

it('drops the oldest entries above its maximum', () => {
  const cache = createBoundedCache<number>(100);
  for (let number = 0; number < 1_000; number += 1) cache.learn(`${number}`, number);
  const found = Array.from({ length: 1_000 }, (_, number) => cache.find(`${number}`));
  expect(found.filter((value) => value !== undefined)).toEqual(
    Array.from({ length: 100 }, (_, number) => 900 + number),
  );
});
