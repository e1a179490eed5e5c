import { describe, expect, it } from 'vitest';
import { createFairSemaphore } from './fair-semaphore.js';

describe('createFairSemaphore', () => {
  it('grants up to its total at once', () => {
    const semaphore = createFairSemaphore(2);
    const grants = requestsOf(semaphore, ['a', 'b', 'c']);
    expect(grants()).toEqual(['a', 'b']);
  });

  it('reserves the last quarter for holders without a permit', () => {
    const semaphore = createFairSemaphore(8);
    const hanging = {};
    let held = 0;
    for (let asked = 0; asked < 8; asked += 1) semaphore.request(hanging, () => (held += 1));
    expect(held).toBe(6);
    let isNewcomerIn = false;
    semaphore.request({}, () => (isNewcomerIn = true));
    expect(isNewcomerIn).toBe(true);
  });

  it('reserves nothing below four permits', () => {
    const semaphore = createFairSemaphore(3);
    const alone = {};
    let held = 0;
    for (let asked = 0; asked < 3; asked += 1) semaphore.request(alone, () => (held += 1));
    expect(held).toBe(3);
  });

  it('grants equal holders in order of arrival', () => {
    const semaphore = createFairSemaphore(1);
    const holders = [{}, {}, {}, {}];
    const order: number[] = [];
    for (const [index, holder] of holders.entries()) semaphore.request(holder, () => order.push(index));
    for (const holder of holders) semaphore.release(holder);
    expect(order).toEqual([0, 1, 2, 3]);
  });

  it('grants the requests of one holder in order', () => {
    const semaphore = createFairSemaphore(1);
    const holder = {};
    const order: string[] = [];
    for (const name of ['first', 'second', 'third']) semaphore.request(holder, () => order.push(name));
    semaphore.release(holder);
    semaphore.release(holder);
    expect(order).toEqual(['first', 'second', 'third']);
  });

  it('grants a free permit to the holder with the fewest', () => {
    const semaphore = createFairSemaphore(4);
    const [busy, other, poor] = [{}, {}, {}];
    const order: string[] = [];
    for (let held = 0; held < 3; held += 1) semaphore.request(busy, () => order.push('busy'));
    semaphore.request(other, () => order.push('other'));
    semaphore.request(busy, () => order.push('busy again'));
    semaphore.request(poor, () => order.push('poor'));
    semaphore.release(busy);
    expect(order).toEqual(['busy', 'busy', 'busy', 'other', 'poor']);
  });
});

function requestsOf(
  semaphore: ReturnType<typeof createFairSemaphore>,
  names: readonly string[],
): () => readonly string[] {
  const granted: string[] = [];
  for (const name of names) semaphore.request({}, () => granted.push(name));
  return () => granted;
}
