import { expect, it } from 'vitest';
import { createLongPageQueues } from './long-pages.js';

it('runs the pages of a key one at a time in their order, beside those of other keys', async () => {
  const queue = createLongPageQueues();
  const order: string[] = [];
  const page = (keyId: `key_${string}`, name: string) =>
    queue(keyId, async () => {
      order.push(`${name} starts`);
      await new Promise((resolve) => setTimeout(resolve, 2));
      order.push(`${name} ends`);
      return name;
    });
  expect(await Promise.all([page('key_a', 'a1'), page('key_a', 'a2'), page('key_b', 'b1')])).toEqual([
    'a1',
    'a2',
    'b1',
  ]);
  expect(order.indexOf('a2 starts')).toBeGreaterThan(order.indexOf('a1 ends'));
  expect(order.indexOf('b1 starts')).toBeLessThan(order.indexOf('a1 ends'));
});

it('leaves the event loop free between two pages, and continues after one that fails', async () => {
  const queue = createLongPageQueues();
  const order: string[] = [];
  const first = queue('key_a', async () => {
    // The pause is as long as the page.
    const startedAt = performance.now();
    while (performance.now() < startedAt + 20);
    setImmediate(() => order.push('others'));
    throw new Error('Not this one.');
  });
  const second = queue('key_a', async () => order.push('second'));
  await expect(first).rejects.toThrow('Not this one.');
  await second;
  expect(order).toEqual(['others', 'second']);
});
