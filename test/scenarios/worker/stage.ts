import type { Clock, Storage } from '@partner-hiring/core';
import { createFakeClock } from '@partner-hiring/test-support/clock';
import { createTestDatabase } from '@partner-hiring/test-support/storages';
import { createRecordingTransport } from '@partner-hiring/test-support/transport';
import { type FeatureOptions, makeFeatures } from '@partner-hiring/test-support/worker-features';
import { createSystemRuntime } from '../../../packages/core/src/defaults/system-runtime.js';
import { createStorageClock } from '../../../packages/core/src/storage-clock.js';
import { createWorker, type Worker, type WorkerParts } from '../../../packages/core/src/worker/worker.js';
import { createStageHost } from './stage/host.js';
import { createStageKeys } from './stage/keys.js';

export { type Hanging, hang } from './stage/hanging.js';
export { noting, PDF } from './stage/host.js';
export { until } from './stage/until.js';

/** What a test replaces of a worker, and of its host's options. */
export type StageParts = Partial<WorkerParts> & FeatureOptions;

type AnyStorage = Pick<Storage<unknown>, 'direct' | 'transaction' | 'close'>;

export const SETTLE_MS = 100;

/** Workers on real storage, with a fake clock and a recording transport. */
export type Stage = Awaited<ReturnType<typeof openStage>>;

/** Opens a stage on a fresh database. */
export async function openStage(clock = createFakeClock()) {
  const database = await createTestDatabase();
  const storage: AnyStorage = await database.open(clock);
  const transport = createRecordingTransport();
  const system = createSystemRuntime();
  let jitter = 0.5;
  const runtime = { ...system, clock, random: { ...system.random, fraction: () => jitter } };
  const { host, parts: hostParts, options: hostOptions } = createStageHost();
  const started: Worker[] = [];
  const others: AnyStorage[] = [];

  function worker(parts: StageParts = {}): Worker {
    const all = { storage, runtime, transport, ...hostParts, ...parts };
    // Each process has its own.
    const storageClock = createStorageClock(all.storage.direct.time, all.runtime.clock);
    // Tests count the transactions of deliveries, and totals have their own tests.
    const features = makeFeatures(all, { ...hostOptions, ...parts }, ['totals']);
    return createWorker({ storageClock, features, ...all });
  }

  return {
    ...createStageKeys(storage, clock, system.ids),
    ...host,
    storage,
    /** Opens another storage on the same database. */
    another: async (other: Pick<Clock, 'now'>) => {
      const opened = await database.open(other);
      others.push(opened);
      return opened;
    },
    /** For workers in other processes. */
    location: database.location,
    clock,
    runtime,
    transport,
    /** The jitter of the next delays, in [0, 1). */
    setJitter(fraction: number) {
      jitter = fraction;
    },
    /** Creates a worker, as in another process. */
    worker,
    /** Creates and starts a worker. `close` stops it. */
    start(parts?: StageParts) {
      const next = worker(parts);
      next.start();
      started.push(next);
      return next;
    },
    /** The event id of each attempt. */
    sent: () => transport.events().map(({ id }) => id),
    async close() {
      await Promise.all(started.map((each) => each.stop()));
      await Promise.all([storage, ...others].map((each) => each.close()));
      await database.remove();
    },
  };
}
