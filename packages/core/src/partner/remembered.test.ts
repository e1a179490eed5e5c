import { expect, it } from 'vitest';
import { createRemembered } from './remembered.js';

it('remembers what it learned last, and forgets what it is told to', () => {
  const remembered = createRemembered<number>(2);
  remembered.learn('a', 1);
  remembered.learn('a', 2);
  remembered.learn('b', 3);
  expect([remembered.find('a'), remembered.find('b'), remembered.find('c')]).toEqual([2, 3, undefined]);
  remembered.learn('a', null);
  expect(remembered.find('a')).toBeUndefined();
});

it('never holds more than it may: who came in first goes first', () => {
  const remembered = createRemembered<number>(100);
  for (let number = 0; number < 1_000; number += 1) remembered.learn(`${number}`, number);
  const found = Array.from({ length: 1_000 }, (_, number) => remembered.find(`${number}`));
  expect(found.filter((value) => value !== undefined)).toEqual(
    Array.from({ length: 100 }, (_, number) => 900 + number),
  );
});
