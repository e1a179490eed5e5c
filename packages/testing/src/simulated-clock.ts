import type { Clock } from '@partner-hiring/core';
import { settle } from './settle.js';

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
