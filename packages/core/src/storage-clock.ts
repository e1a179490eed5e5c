import { type Instant, SECOND_MS } from './domain/time.js';
import type { Clock } from './ports/runtime.js';
import type { TimeRepository } from './ports/storage.js';

/**
 * The storage's time, as far as this process knows it. Stamps, creation times, expiry and due times come from here.
 * So replicas agree about them even if the clocks of their machines differ.
 */
export interface StorageClock {
  /**
   * Returns the last reading of the storage's time plus what has passed since on this process's clock. Before the first
   * reading, it returns the time of this process.
   */
  now(): Instant;
  /**
   * Begins a reading that comes with another answer of the storage. Call it before you ask the storage. Then call the
   * function that it returns with the instant at which the storage answered.
   */
  beginReading(): (at: Instant) => void;
  /**
   * Reads the storage's time, unless the last reading is younger than a second, and returns `now()`.
   *
   * @param within - the transaction to read it in, so that no other connection is needed; outside any unless given.
   * @throws StorageUnavailable if the storage cannot be read.
   */
  sync(within?: TimeRepository): Promise<Instant>;
}

/** A reading, and when it was asked for and answered on this process's clock. */
interface Reading {
  readonly at: Instant;
  readonly askedAt: Instant;
  readonly answeredAt: Instant;
}

/**
 * How long a reading counts as young. While it does, a small step of this process's clock goes unnoticed. A shorter time
 * would cost quiet processes more statements; in a busy one each admission brings a reading anyway.
 */
const READING_LASTS_MS = SECOND_MS;

/** A second answer tells those two cases apart. A storage that is always this slow is not asked again and again. */
const MAX_TRIES = 2;

/**
 * Creates a clock that has no reading yet.
 *
 * It measures what has passed on the wall clock, because a monotonic one may stand still while the machine sleeps. If
 * the wall clock is set, what has passed seems to be less than nothing or more than a second. Then the reading is old,
 * and the next `sync` replaces it.
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
   * The storage's time now lies between its answer and that plus what the answer took. If the known time lies there too,
   * it stays as it is: a slow answer must not set the clock back.
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

  /** Reads again if the answer seems to have taken a second: the process was frozen meanwhile, or its clock was set. */
  async function read(from: TimeRepository): Promise<void> {
    for (let tries = 0; tries < MAX_TRIES && !isYoung(); tries += 1) {
      const note = beginReading();
      note(await from.now());
    }
  }

  /** Callers at the same moment share one reading. */
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
