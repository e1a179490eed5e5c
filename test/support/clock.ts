import type { Clock } from '@partner-hiring/core';
import { createSimulatedClock, settle, whileBusy } from '../../packages/testing/src/virtual-clock.js';

export { settle, whileBusy };

/** A Monday morning: the default start of every test. */
export const STORY_START = Date.parse('2026-01-05T09:00:00.000Z');

/** A clock that a test advances. */
export interface FakeClock extends Clock {
  /** Advances time. Sleeps end in order, at their own times. */
  advance(ms: number): Promise<void>;
  /** Sets the clock back. Does not change timers. */
  setBack(ms: number): void;
  /** Advances time as during a suspend of the machine: timers do not run. */
  suspend(ms: number): void;
}

/** Makes time pass during work, like on a busy machine. */
export interface Restlessness {
  /** How many milliseconds each call of `now` advances the time. */
  stepMs(): number;
  /** The maximum number of calls of `now`. Further calls throw, to stop an endless loop. */
  readonly maxLooks: number;
}

/** Builds a clock that a test advances. With `restless`, each call of `now` also advances it. */
export function createFakeClock(start = STORY_START, restless?: Restlessness): FakeClock {
  let looks = 0;

  /** Advances the clock on each read, so that tests find code that reads it twice in one decision. */
  function stepOnRead(): number {
    if (restless === undefined) return 0;
    looks += 1;
    if (looks > restless.maxLooks) throw new Error('Too many reads of the clock: the code loops.');
    return restless.stepMs();
  }

  const { shift, ...clock } = createSimulatedClock(start, stepOnRead);
  return { ...clock, setBack: (ms) => shift(-ms), suspend: shift };
}

/** The clock of another machine, ahead by `ms` (behind if negative). Shares the sleeps. */
export function skewClock(clock: FakeClock, ms: number): FakeClock {
  return { ...clock, now: () => clock.now() + ms };
}

/** How long a sender pauses if another transaction has locked its endpoint, in milliseconds. */
const PAUSE_MS = 100;

/**
 * Advances the clock until the work is done. A worker that drains may pause, and would wait forever if the clock stood
 * still.
 */
export async function passUntil<T>(clock: Pick<FakeClock, 'advance'>, work: Promise<T>): Promise<T> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  work.then(end, end);
  await settle();
  while (!isOver) await clock.advance(PAUSE_MS);
  return work;
}
