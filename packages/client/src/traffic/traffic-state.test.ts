import { createFakeClock, STORY_START } from '@partner-hiring/test-support/clock';
import { expect, test } from 'vitest';
import type { ClientClock } from '../clock.js';
import { createAlarm } from './traffic-state.js';

/** An alarm, the times it fired, and its number of timers. */
function alarmOn(clock = createFakeClock()) {
  const woken: number[] = [];
  let running = 0;
  let begun = 0;
  const counted: ClientClock = {
    now: clock.now,
    sleep: async (ms, signal) => {
      begun += 1;
      running += 1;
      await clock.sleep(ms, signal);
      running -= 1;
    },
  };
  const alarm = createAlarm(counted, () => woken.push(clock.now() - STORY_START));
  const setIn = (ms: number) => alarm.setFor(STORY_START + ms);
  return { setIn, clock, woken, timers: () => ({ begun, running }) };
}

test('fires once, at the last time set, with one timer', async () => {
  const { setIn, clock, woken, timers } = alarmOn();
  for (const ms of [1_000, 3_000, 2_000]) setIn(ms);
  await clock.advance(0);
  expect(timers()).toEqual({ begun: 3, running: 1 });
  await clock.advance(5_000);
  expect(woken).toEqual([2_000]);
  expect(timers()).toEqual({ begun: 3, running: 0 });
});

test('keeps its timer when it is set for the same time', async () => {
  const { setIn, clock, timers } = alarmOn();
  for (const ms of [1_000, 1_000]) setIn(ms);
  await clock.advance(0);
  expect(timers()).toEqual({ begun: 1, running: 1 });
});

test('is switched off by Infinity, and can be set again', async () => {
  const { setIn, clock, woken, timers } = alarmOn();
  setIn(1_000);
  setIn(Number.POSITIVE_INFINITY);
  await clock.advance(0);
  expect(timers()).toEqual({ begun: 1, running: 0 });
  setIn(1_000);
  await clock.advance(5_000);
  expect(woken).toEqual([1_000]);
});

test('can be set for the same time after it has fired', async () => {
  const { setIn, clock, woken } = alarmOn();
  setIn(1_000);
  await clock.advance(1_000);
  setIn(1_000);
  await clock.advance(0);
  expect(woken).toEqual([1_000, 1_000]);
});
