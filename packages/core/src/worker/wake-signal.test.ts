import { createFakeClock, settle } from '@partner-hiring/test-support/clock';
import { expect, it } from 'vitest';
import { createWakeSignal } from './wake-signal.js';

function setUp() {
  const clock = createFakeClock();
  const wakeSignal = createWakeSignal(clock);
  let wakes = 0;
  const wait = () =>
    wakeSignal.wait(1_000).then(() => {
      wakes += 1;
    });
  return { clock, wakeSignal, wait, wakes: () => wakes };
}

it('a wait ends when its time has passed, or when the bell rings', async () => {
  const { clock, wakeSignal, wait, wakes } = setUp();
  void wait();
  await clock.advance(999);
  expect(wakes()).toBe(0);
  await clock.advance(1);
  expect(wakes()).toBe(1);
  void wait();
  await settle();
  expect(wakes()).toBe(1);
  wakeSignal.ring();
  await settle();
  expect(wakes()).toBe(2);
});

it('a bell that rang while nobody waited ends the next wait, and only that', async () => {
  const { wakeSignal, wait, wakes } = setUp();
  wakeSignal.ring();
  wakeSignal.ring();
  await wait();
  expect(wakes()).toBe(1);
  void wait();
  await settle();
  expect(wakes()).toBe(1);
});
