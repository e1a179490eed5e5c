import { type Instant, SECOND_MS } from './domain/time.js';
import type { Clock } from './ports/runtime.js';
import type { TimeRepository } from './ports/storage.js';

export interface StorageClock {
  now(): Instant;
  /**
   * Sets the clock by a storage call that returns the storage's time. Call this before the storage call. It returns a
   * function: pass it the time that the storage returned.
   */
  beginReading(): (at: Instant) => void;
  /**
   * Takes a new sample, unless the last one is younger than a second.
   * @param within - a transaction to read in, so that no second connection is needed.
   * @throws StorageUnavailable if the storage cannot be read.
   */
  sync(within?: TimeRepository): Promise<Instant>;
}

interface Sample {
  readonly at: Instant;
  readonly askedAt: Instant;
  readonly answeredAt: Instant;
}

/** Samples are not taken more often, because each costs an idle process a statement. */
const SAMPLE_LASTS_MS = SECOND_MS;

/** A second sample shows whether the storage was slow or the process's clock changed. */
const MAX_TRIES = 2;

/**
 * Estimates the storage's time from samples. Between samples it uses the wall clock, because a monotonic
 * clock may stop while the machine sleeps.
 */
export function createStorageClock(time: TimeRepository, clock: Pick<Clock, 'now'>): StorageClock {
  let last: Sample | null = null;
  let underWay: Promise<void> | null = null;

  function storageTime(processNow: Instant): Instant {
    if (last === null) return processNow;
    return last.at + Math.max(0, processNow - last.answeredAt);
  }

  function isYoung(): boolean {
    if (last === null) return false;
    const ageMs = clock.now() - last.askedAt;
    return ageMs >= 0 && ageMs < SAMPLE_LASTS_MS;
  }

  /**
   * Starts a reading of the storage's time. A slow answer leaves a range of possible times. If the present estimate is
   * in this range, it is kept, so that a slow answer does not set the clock back.
   */
  function beginReading(): (at: Instant) => void {
    const askedAt = clock.now();
    return (earliest) => {
      const answeredAt = clock.now();
      const latest = earliest + (answeredAt - askedAt);
      const known = last === null ? earliest : storageTime(answeredAt);
      const isPossible = earliest <= known && known <= latest;
      last = { at: isPossible ? known : earliest, askedAt, answeredAt };
    };
  }

  /** Repeats a sample that took a second: the process was suspended, or its clock changed. */
  async function read(from: TimeRepository): Promise<void> {
    for (let tries = 0; tries < MAX_TRIES && !isYoung(); tries += 1) {
      const note = beginReading();
      note(await from.now());
    }
  }

  function readShared(): Promise<void> {
    underWay ??= read(time).finally(() => {
      underWay = null;
    });
    return underWay;
  }

  return {
    now: () => storageTime(clock.now()),
    beginReading,
    async sync(within) {
      if (!isYoung()) await (within === undefined ? readShared() : read(within));
      return storageTime(clock.now());
    },
  };
}
