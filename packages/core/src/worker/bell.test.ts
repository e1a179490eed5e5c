import { expect, it } from 'vitest';
import { createFakeClock, settle } from '../../../../test/support/clock.js';
import { createBell } from './bell.js';

function setUp() {
  const clock = createFakeClock();
  const bell = createBell(clock);
  let wakes = 0;
  const wait = () =>
    bell.wait(1_000).then(() => {
      wakes += 1;
    });
  return { clock, bell, wait, wakes: () => wakes };
}

it('a wait ends when its time has passed, or when the bell rings', async () => {
  const { clock, bell, wait, wakes } = setUp();
  void wait();
  await clock.advance(999);
  expect(wakes()).toBe(0);
  await clock.advance(1);
  expect(wakes()).toBe(1);
  void wait();
  await settle();
  expect(wakes()).toBe(1);
  bell.ring();
  await settle();
  expect(wakes()).toBe(2);
});

it('a bell that rang while nobody waited ends the next wait, and only that', async () => {
  const { bell, wait, wakes } = setUp();
  bell.ring();
  bell.ring();
  await wait();
  expect(wakes()).toBe(1);
  void wait();
  await settle();
  expect(wakes()).toBe(1);
});
