import type { Clock, Runtime, Storage } from '@partner-hiring/core';
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

export const SETTLE_MS = 100;

/** Workers on real storage, with a fake clock and a recording transport. */
export interface Stage extends StageKeys, StageHost {
  readonly storage: AnyStorage;
  /** Opens another storage on the same database. */
  another(clock: Pick<Clock, 'now'>): Promise<AnyStorage>;
  /** For workers in other processes. */
  readonly location: DatabaseLocation;
  readonly clock: FakeClock;
  readonly runtime: Runtime;
  readonly transport: RecordingTransport;
  /** The jitter of the next delays, in [0, 1). */
  setJitter(fraction: number): void;
  /** Creates a worker, as in another process. */
  worker(parts?: Partial<WorkerParts>): Worker;
  /** Creates and starts a worker. `close` stops it. */
  start(parts?: Partial<WorkerParts>): Worker;
  /** The event id of each attempt. */
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
    // Each process has its own.
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
