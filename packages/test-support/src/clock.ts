import type { Clock } from '@partner-hiring/core/ports';

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

interface Sleeper {
  readonly wakesAt: number;
  readonly wake: () => void;
}

/** Makes time pass during work, like on a busy machine. */
export interface Restlessness {
  /** How far each call of `now` advances time. */
  stepMs(): number;
  /** More calls throw, to stop an endless loop. */
  readonly maxLooks: number;
}

/** Builds a clock that only advances by hand, or also with each call of `now`. */
export function createFakeClock(start = STORY_START, restless?: Restlessness): FakeClock {
  let now = start;
  let looks = 0;
  let sleepers: Sleeper[] = [];

  function nextDue(until: number): Sleeper | undefined {
    const [next] = sleepers.filter(({ wakesAt }) => wakesAt <= until).sort((a, b) => a.wakesAt - b.wakesAt);
    return next;
  }

  function shift(ms: number): void {
    now += ms;
    sleepers = sleepers.map(({ wakesAt, wake }) => ({ wakesAt: wakesAt + ms, wake }));
  }

  /** Exposes code that reads the clock twice in one decision. */
  function look(): number {
    if (restless === undefined) return now;
    looks += 1;
    if (looks > restless.maxLooks) throw new Error('Too many reads of the clock: the code loops.');
    now += restless.stepMs();
    for (let due = nextDue(now); due !== undefined; due = nextDue(now)) due.wake();
    return now;
  }

  return {
    now: look,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true) return resolve();
        const wake = () => {
          sleepers = sleepers.filter((other) => other.wake !== wake);
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        sleepers.push({ wakesAt: now + Math.max(0, ms), wake });
        signal?.addEventListener('abort', wake);
      }),
    advance: async (ms) => {
      const until = now + ms;
      for (let due = nextDue(until); due !== undefined; due = nextDue(until)) {
        now = Math.max(now, due.wakesAt);
        due.wake();
        await settle();
      }
      now = Math.max(now, until);
      await settle();
    },
    setBack: (ms) => shift(-ms),
    suspend: shift,
  };
}

/** The clock of another machine, ahead by `ms` (behind if negative). Shares the sleeps. */
export function skewClock(clock: FakeClock, ms: number): FakeClock {
  return { ...clock, now: () => clock.now() + ms };
}

/** Whether something needs real time, such as a database. */
const busy = new Set<() => boolean>();

/** Makes `settle` wait while something is busy. Returns a function that removes it. */
export function whileBusy(isBusy: () => boolean): () => void {
  busy.add(isBusy);
  return () => void busy.delete(isBusy);
}

/** Waits until all work without timers, and all database calls, have finished. */
export async function settle(turns = 5): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    if (![...busy].some((isBusy) => isBusy())) continue;
    turn = -1;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
