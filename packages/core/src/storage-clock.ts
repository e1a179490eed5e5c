import { type Instant, SECOND_MS } from './domain/time.js';
import type { Clock } from './ports/runtime.js';
import type { TimeRepository } from './ports/storage.js';

/**
 * An estimate of the storage's time in this process. Stamps, creation times, expiry and due times use it, so that
 * replicas agree even if their machines' clocks differ.
 */
export interface StorageClock {
  /** Returns the last sample plus the time elapsed since. Before the first sample, returns this process's time. */
  now(): Instant;
  /**
   * Starts a sample that another storage call returns. Call it before the storage call. Then pass the storage's time
   * to the returned function.
   */
  beginReading(): (at: Instant) => void;
  /**
   * Takes a sample unless the last one is younger than a second, and returns `now()`.
   *
   * @param within - a transaction to read in, so that no second connection is needed.
   * @throws StorageUnavailable if the storage cannot be read.
   */
  sync(within?: TimeRepository): Promise<Instant>;
}

/** A sample of the storage's time, and when this process asked for it and received it. */
interface Reading {
  readonly at: Instant;
  readonly askedAt: Instant;
  readonly answeredAt: Instant;
}

/**
 * During this time, a small change of this process's clock goes unnoticed. A shorter time costs an idle process more
 * statements; in a busy one, each admission takes a sample anyway.
 */
const READING_LASTS_MS = SECOND_MS;

/** A second sample tells a slow storage from a changed clock. A storage that is always slow is not sampled again. */
const MAX_TRIES = 2;

/**
 * Creates a clock without a sample.
 *
 * Elapsed time is measured on the wall clock, because a monotonic clock may stop while the machine sleeps. If the
 * wall clock is changed, the elapsed time is negative or above a second, and the next `sync` takes a new sample.
 *
 * @param clock - this process's wall clock.
 */
export function createStorageClock(time: TimeRepository, clock: Pick<Clock, 'now'>): StorageClock {
  let last: Reading | null = null;
  let underWay: Promise<void> | null = null;

  function storageTime(processNow: Instant): Instant {
    if (last === null) return processNow;
    return last.at + Math.max(0, processNow - last.answeredAt);
  }

  function isYoung(): boolean {
    if (last === null) return false;
    const ageMs = clock.now() - last.askedAt;
    return ageMs >= 0 && ageMs < READING_LASTS_MS;
  }

  /**
   * The storage's time is now between `earliest` and `earliest` plus the round trip. An estimate in that range is
   * kept: a slow answer must not set the clock back.
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

  /**
   * Samples again if the round trip seems to have taken a second: the process was suspended, or its clock was
   * changed.
   */
  async function read(from: TimeRepository): Promise<void> {
    for (let tries = 0; tries < MAX_TRIES && !isYoung(); tries += 1) {
      const note = beginReading();
      note(await from.now());
    }
  }

  /** Concurrent callers share one sample. */
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
