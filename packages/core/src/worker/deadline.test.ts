import { expect, it } from 'vitest';
import { createFakeClock } from '../../../../test/support/clock.js';
import { DeadlinePassed, withDeadline } from './deadline.js';

it('answers what the work came to, or rejects as it did', async () => {
  const clock = createFakeClock();
  await expect(withDeadline(clock, 1_000, Promise.resolve('done'))).resolves.toBe('done');
  await expect(withDeadline(clock, 1_000, Promise.reject(new Error('refused')))).rejects.toThrow('refused');
});

it('gives up on work that never ends', async () => {
  const clock = createFakeClock();
  const outcome = withDeadline(clock, 1_000, new Promise(() => {})).catch((error: unknown) => error);
  await clock.advance(1_000);
  expect(await outcome).toBeInstanceOf(DeadlinePassed);
});
