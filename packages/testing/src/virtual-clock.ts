import { type Clock, type Instant, OperatorError } from '@partner-hiring/core';
import { createSimulatedClock } from './simulated-clock.js';

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
