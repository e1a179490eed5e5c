import type { Clock, Runtime, Storage } from '@partner-hiring/core/ports';
import { createFakeClock, type FakeClock } from '@partner-hiring/test-support/clock';
import { createTestDatabase, type DatabaseLocation } from '@partner-hiring/test-support/storages';
import { createRecordingTransport, type RecordingTransport } from '@partner-hiring/test-support/transport';
import { createSystemRuntime } from '../../../packages/core/src/defaults/system-runtime.js';
import { createStorageClock } from '../../../packages/core/src/storage-clock.js';
import { createWorker, type Worker, type WorkerParts } from '../../../packages/core/src/worker/worker.js';
import { createStageHost, type StageHost } from './stage/host.js';
import { createStageKeys, type StageKeys } from './stage/keys.js';

export { type Hanging, hang } from './stage/hanging.js';
export { PDF } from './stage/host.js';
export { until } from './stage/until.js';

type AnyStorage = Pick<Storage<unknown>, 'direct' | 'transaction' | 'close'>;

/** How long an ended attempt waits to be recorded. */
export const SETTLE_MS = 100;

/** Real storage, a clock turned by hand, a recorded network, and as many workers as the story needs. */
export interface Stage extends StageKeys, StageHost {
  readonly storage: AnyStorage;
  /** A further storage on the same database, with a clock of its own for leases and rate windows. */
  another(clock: Pick<Clock, 'now'>): Promise<AnyStorage>;
  /** Where the database is, for workers in processes of their own. */
  readonly location: DatabaseLocation;
  readonly clock: FakeClock;
  /** What the workers take time, identifiers and randomness from, unless the story says otherwise. */
  readonly runtime: Runtime;
  readonly transport: RecordingTransport;
  /** The jitter of the next delays: 0 is the shortest, towards 1 the longest. */
  setJitter(fraction: number): void;
  /** A further worker, as in another process. */
  worker(parts?: Partial<WorkerParts>): Worker;
  /** The same, started; it is stopped at the latest when the stage closes. */
  start(parts?: Partial<WorkerParts>): Worker;
  /** The ids of the events that were posted, one for each attempt. */
  sent(): readonly string[];
  close(): Promise<void>;
}

/** Opens a stage on a fresh database. */
export async function openStage(clock = createFakeClock()): Promise<Stage> {
  const database = await createTestDatabase();
  const storage: AnyStorage = await database.open(clock);
  const transport = createRecordingTransport();
  const system = createSystemRuntime();
  let jitter = 0.5;
  const runtime = { ...system, clock, random: { ...system.random, fraction: () => jitter } };
  const { host, parts: hostParts } = createStageHost();
  const started: Worker[] = [];
  const others: AnyStorage[] = [];

  function worker(parts: Partial<WorkerParts> = {}): Worker {
    const all = { storage, runtime, transport, ...hostParts, ...parts };
    // Each worker is a process, which reads the storage's time for itself.
    const storageClock = createStorageClock(all.storage.direct.time, all.runtime.clock);
    return createWorker({ storageClock, ...all });
  }

  return {
    ...createStageKeys(storage, clock, system.ids),
    ...host,
    storage,
    another: async (other) => {
      const opened = await database.open(other);
      others.push(opened);
      return opened;
    },
    location: database.location,
    clock,
    runtime,
    transport,
    setJitter(fraction) {
      jitter = fraction;
    },
    worker,
    start(parts) {
      const next = worker(parts);
      next.start();
      started.push(next);
      return next;
    },
    sent: () => transport.events().map(({ id }) => id),
    async close() {
      await Promise.all(started.map((each) => each.stop()));
      await Promise.all([storage, ...others].map((each) => each.close()));
      await database.remove();
    },
  };
}
