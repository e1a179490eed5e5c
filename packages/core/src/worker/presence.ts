import { createEnvironmentSums } from '../domain/environment-sums.js';
import type { HourTally } from '../domain/hour-count.js';
import type { WorkerId } from '../domain/ids.js';
import type { Instant } from '../domain/time.js';
import { ALIVE_MS, HEARTBEAT_MS, type WorkerProcess, type WorkerSealing } from '../domain/worker-instance.js';
import type { Clock } from '../ports/runtime.js';
import type { Repositories } from '../ports/storage.js';
import type { Logger } from '../ports/telemetry.js';
import { createLoop } from './loop.js';
import type { Rest } from './rest.js';

export interface PresenceOptions {
  readonly direct: Pick<Repositories, 'workers' | 'hourCounts' | 'names'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Null for a worker that is not shown. */
  readonly process: WorkerProcess | null;
  nextId(): WorkerId;
  /** The attempts that are not stored yet. */
  readonly tally: HourTally;
  sealing(): WorkerSealing;
  /** When the last sweep of this worker ended. */
  lastSweepAt(): Instant | null;
  readonly rest: Pick<Rest, 'awake' | 'beginPoll'>;
}

/** Tells the storage that this worker is alive, and how many attempts it made. */
export interface Presence {
  /** Reports now, and then every 30 seconds while the worker is awake. */
  start(): void;
  /** Reports that the worker lives, and sleeps from now on for `sleepMs`. Never rejects. */
  sleep(sleepMs: number): Promise<void>;
  /** Whether the last successful report, or the end of the sleep that it announced, is over 90 seconds ago. */
  isSilent(): boolean;
  /** Stores the counts of attempts. Never rejects: if the storage fails, the next call stores them. */
  flush(): Promise<void>;
  /** Stores the counts, and removes the worker from the storage. Never rejects. */
  leave(): Promise<void>;
}

/** A failure costs nothing but a late report, so it must not disturb the work. */
export function createPresence(options: PresenceOptions): Presence {
  const { direct, clock, logger, process, nextId, tally, sealing, lastSweepAt, rest } = options;
  const withSums = createEnvironmentSums((ids) => direct.names.ofKeys(ids));
  let id: WorkerId | null = null;
  let heardUntil = clock.now();

  async function storeCounts(): Promise<void> {
    const counts = tally.take();
    if (counts.length === 0) return;
    try {
      await direct.hourCounts.add(await withSums(counts));
    } catch (err) {
      tally.putBack(counts);
      throw err;
    }
  }

  async function report(sleepMs: number | null): Promise<void> {
    if (process !== null) {
      id ??= nextId();
      await direct.workers.beat({
        id,
        ...process,
        lastSweepAt: lastSweepAt(),
        sealing: sealing(),
        sleepMs,
      });
    }
    heardUntil = clock.now() + (sleepMs ?? 0);
    await storeCounts();
  }

  const loop = createLoop(
    {
      name: 'heartbeat',
      async poll() {
        await report(null);
        return 'nothing';
      },
      idle: async () => {},
    },
    { everyMs: HEARTBEAT_MS, clock, logger, rest: { ...rest, beginPoll: () => () => {} } },
  );

  return {
    start() {
      heardUntil = clock.now();
      loop.start();
    },
    isSilent: () => clock.now() - heardUntil > ALIVE_MS,
    // A failed report only makes the worker look dead until it wakes.
    sleep: (sleepMs) => report(sleepMs).catch(() => {}),
    flush: () => storeCounts().catch(() => {}),
    async leave() {
      await loop.stop();
      await storeCounts().catch(() => {});
      // If this fails, the row stays for a day and shows the worker as dead.
      if (id !== null) await direct.workers.remove(id).catch(() => {});
    },
  };
}
