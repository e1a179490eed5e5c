import { describe, expect, it } from 'vitest';
import { createFairSemaphore } from './fair-semaphore.js';

describe('createFairSemaphore', () => {
  it('grants at once while there is room, and never more than there are', () => {
    const slots = createFairSemaphore(2);
    const grants = requestsOf(slots, ['a', 'b', 'c']);
    expect(grants()).toEqual(['a', 'b']);
  });

  it('keeps the last quarter for those that hold none', () => {
    const slots = createFairSemaphore(8);
    const hanging = {};
    let held = 0;
    for (let asked = 0; asked < 8; asked += 1) slots.request(hanging, () => (held += 1));
    expect(held).toBe(6);
    let isNewcomerIn = false;
    slots.request({}, () => (isNewcomerIn = true));
    expect(isNewcomerIn).toBe(true);
  });

  it('keeps nothing back of fewer than four', () => {
    const slots = createFairSemaphore(3);
    const alone = {};
    let held = 0;
    for (let asked = 0; asked < 3; asked += 1) slots.request(alone, () => (held += 1));
    expect(held).toBe(3);
  });

  it('grants one after the other, of those that hold the same, what they asked for, and forgets nobody', () => {
    const slots = createFairSemaphore(1);
    const holders = [{}, {}, {}, {}];
    const order: number[] = [];
    for (const [index, holder] of holders.entries()) slots.request(holder, () => order.push(index));
    for (const holder of holders) slots.release(holder);
    expect(order).toEqual([0, 1, 2, 3]);
  });

  it('grants one holder its requests in their order', () => {
    const slots = createFairSemaphore(1);
    const holder = {};
    const order: string[] = [];
    for (const name of ['first', 'second', 'third']) slots.request(holder, () => order.push(name));
    slots.release(holder);
    slots.release(holder);
    expect(order).toEqual(['first', 'second', 'third']);
  });

  it('gives what becomes free to whoever holds the fewest', () => {
    const slots = createFairSemaphore(4);
    const [busy, other, poor] = [{}, {}, {}];
    const order: string[] = [];
    for (let held = 0; held < 3; held += 1) slots.request(busy, () => order.push('busy'));
    slots.request(other, () => order.push('other'));
    slots.request(busy, () => order.push('busy again'));
    slots.request(poor, () => order.push('poor'));
    slots.release(busy);
    expect(order).toEqual(['busy', 'busy', 'busy', 'other', 'poor']);
  });
});

function requestsOf(
  slots: ReturnType<typeof createFairSemaphore>,
  names: readonly string[],
): () => readonly string[] {
  const granted: string[] = [];
  for (const name of names) slots.request({}, () => granted.push(name));
  return () => granted;
}
