import * as timers from 'node:timers';
import { type Clock, type Instant, OperatorError } from '@partner-hiring/core';

/** The real timers, even if the test replaces the global ones. */
const onImmediate = timers.setImmediate;
const onTimeout = timers.setTimeout;

/** Functions that return whether real work, such as a database call, is still running. */
const busy = new Set<() => boolean>();

/** Makes `settle` wait while `isBusy` returns true. Returns a function that removes `isBusy` again. */
export function whileBusy(isBusy: () => boolean): () => void {
  busy.add(isBusy);
  return () => void busy.delete(isBusy);
}

/** Waits until all work without timers, and all database calls, have finished. */
export async function settle(turns = 5): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) {
    await new Promise<void>((resolve) => onImmediate(resolve));
    if (![...busy].some((isBusy) => isBusy())) continue;
    turn = -1;
    await pause(1);
  }
}

/** Waits in real time. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => onTimeout(resolve, ms));
}

/** A clock with simulated time, and with the faults of real clocks. */
export interface SimulatedClock extends Clock {
  /** Advances time. Sleeps end in order, at their own times. */
  advance(ms: number): Promise<void>;
  /** Changes the time by `ms` without ending sleeps, like a correction of the clock. */
  shift(ms: number): void;
}

interface Sleeper {
  readonly wakesAt: number;
  readonly wake: () => void;
}

/** Builds a simulated clock. Each call of `now` first advances time by `stepOnRead`. */
export function createSimulatedClock(start: number, stepOnRead: () => number = () => 0): SimulatedClock {
  let now = start;
  let sleepers: Sleeper[] = [];

  function nextDue(until: number): Sleeper | undefined {
    const [next] = sleepers.filter(({ wakesAt }) => wakesAt <= until).sort((a, b) => a.wakesAt - b.wakesAt);
    return next;
  }

  function read(): number {
    const step = stepOnRead();
    if (step === 0) return now;
    now += step;
    for (let due = nextDue(now); due !== undefined; due = nextDue(now)) due.wake();
    return now;
  }

  return {
    now: read,
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
    shift: (ms) => {
      now += ms;
      sleepers = sleepers.map(({ wakesAt, wake }) => ({ wakesAt: wakesAt + ms, wake }));
    },
  };
}

/** A clock that stands still until a test advances it. */
export interface VirtualClock extends Clock {
  /**
   * Advances time by `ms`. Sleeps that end within this time end in order, each at its own time. Resolves when the woken work
   * has finished.
   * @throws OperatorError `INVALID_INPUT` if `ms` is not a whole number of at least 0.
   */
  advance(ms: number): Promise<void>;
}

/**
 * Creates a virtual clock. Pass it as `runtime.clock`, and as `clock` of the storage, so that both agree.
 * @param startAt - the first time, in milliseconds since 1970. Default: the current time.
 * @throws OperatorError `INVALID_INPUT` if `startAt` is not a whole number of at least 0.
 * @example
 * const clock = createVirtualClock(Date.parse('2026-01-05T09:00:00Z'));
 * await clock.advance(60_000);
 */
export function createVirtualClock(startAt: Instant = Date.now()): VirtualClock {
  assertMs('startAt', startAt);
  const { now, sleep, advance } = createSimulatedClock(startAt);
  return {
    now,
    sleep,
    advance: async (ms) => {
      assertMs('ms', ms);
      await advance(ms);
    },
  };
}

/** @throws OperatorError `INVALID_INPUT` unless `value` is a whole number of milliseconds of at least `min`. */
export function assertMs(name: string, value: unknown, min = 0): void {
  if (Number.isSafeInteger(value) && Number(value) >= min) return;
  throw new OperatorError(
    'INVALID_INPUT',
    `\`${name}\` must be a whole number of milliseconds of at least ${min}.`,
  );
}
