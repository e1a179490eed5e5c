import type { Clock } from '@partner-hiring/core/ports';

/** A Monday morning: every story starts there unless it says otherwise. */
export const STORY_START = Date.parse('2026-01-05T09:00:00.000Z');

/** A clock that a test turns by hand. */
export interface FakeClock extends Clock {
  /** Moves time on; sleeps that end on the way wake in their order, at their own instants. */
  advance(ms: number): Promise<void>;
  /** Sets the clock back. Sleeps last as long as they would have: timers do not go by the clock. */
  setBack(ms: number): void;
  /** Moves time on as while the machine sleeps: timers stand still meanwhile, and nothing runs. */
  suspend(ms: number): void;
}

interface Sleeper {
  readonly wakesAt: number;
  readonly wake: () => void;
}

/** What makes time pass while somebody works, as it does on a busy machine. */
export interface Restlessness {
  /** How far time moves on with each look at the clock. */
  stepMs(): number;
  /** A work that looks more often does nothing else: it is told so with an error. */
  readonly maxLooks: number;
}

/** A clock that stands still until it is turned; a restless one moves on with each look at it, too. */
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

  /** Only one part of a decision may see the next millisecond: whoever looks twice in one finds out. */
  function look(): number {
    if (restless === undefined) return now;
    looks += 1;
    if (looks > restless.maxLooks) throw new Error('Somebody does nothing but look at the clock.');
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

/** The clock of a machine that shows so much more than the other one; below 0, so much less. Its sleeps are the other's. */
export function skewClock(clock: FakeClock, ms: number): FakeClock {
  return { ...clock, now: () => clock.now() + ms };
}

/** Whether something goes on that needs time of its own: a database on the other end of a connection. */
const busy = new Set<() => boolean>();

/** Lets `settle` wait while something is busy, until the returned function is called. */
export function whileBusy(isBusy: () => boolean): () => void {
  busy.add(isBusy);
  return () => void busy.delete(isBusy);
}

/** Lets everything that needs no time run to its end, and what a database has to answer. */
export async function settle(turns = 5): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    if (![...busy].some((isBusy) => isBusy())) continue;
    turn = -1;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
