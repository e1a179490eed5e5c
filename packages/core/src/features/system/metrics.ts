import type { DeploymentStanding } from '../../domain/deployment.js';
import type { Instant } from '../../domain/time.js';
import { isWorkerAlive, MOST_WORKERS, type WorkerInstance } from '../../domain/worker-instance.js';
import type { Repositories } from '../../ports/storage.js';
import type { Logger, Telemetry } from '../../ports/telemetry.js';
import type { StorageClock } from '../../storage-clock.js';

const STORAGE_GAUGE = {
  name: 'partner_hiring.storage.up',
  unit: '{storage}',
  description: 'Whether this process can read its database: 1, otherwise 0.',
} as const;

const SILENT_GAUGE = {
  name: 'partner_hiring.deployment.silent',
  unit: '{process}',
  description:
    'Whether this process sends nothing outside, because the database belongs to another deployment: 1, otherwise 0.',
} as const;

const WORKER_GAUGES = [
  {
    name: 'partner_hiring.worker.alive',
    unit: '{worker}',
    description:
      'Started workers that were seen, or announced that they sleep, in the last 90 seconds, up to 100.',
  },
  {
    name: 'partner_hiring.sweep.age',
    unit: 's',
    description:
      'Time since a worker last deleted all expired rows, or since the first worker started. It is 0 if there is none.',
  },
] as const;

const SYNC_GAUGES = [
  {
    name: 'partner_hiring.job_sync.age',
    unit: 's',
    description:
      'Time since the last good run of a job sync, or since the first run began. It is 0 before the first run.',
  },
  {
    name: 'partner_hiring.job_sync.failures',
    unit: '{run}',
    description: 'Runs of a job sync that failed in a row.',
  },
  {
    name: 'partner_hiring.job_sync.refused',
    unit: '{row}',
    description: 'Rows of the source that the last good run of a job sync refused.',
  },
  {
    name: 'partner_hiring.job_sync.held',
    unit: '{job}',
    description: 'Missing jobs that the last good run of a job sync held back.',
  },
] as const;

/** Registers the gauges of the database, the workers and the job syncs. Returns a function that unregisters them. */
export function observeSystem(
  telemetry: Telemetry,
  { workers, jobSyncs }: Pick<Repositories, 'workers' | 'jobSyncs'>,
  standing: () => Promise<DeploymentStanding>,
  storageClock: Pick<StorageClock, 'sync'>,
  logger: Logger,
): () => void {
  const stopStorage = telemetry.observe([STORAGE_GAUGE], async () => {
    try {
      await storageClock.sync();
      return [1];
    } catch {
      // The gauges of the backlog, which are read at the same time, log the cause.
      return [0];
    }
  });
  const stopWatch = telemetry.observe([SILENT_GAUGE], async () => {
    try {
      return [(await standing()).isSending ? 0 : 1];
    } catch {
      return null;
    }
  });
  const stopWorkers = telemetry.observe(WORKER_GAUGES, async () => {
    try {
      const now = await storageClock.sync();
      const listed = await workers.list(MOST_WORKERS);
      const alive = listed.filter((worker) => isWorkerAlive(worker, now)).length;
      return [alive, Math.max(0, now - sweptAt(listed, now)) / 1_000];
    } catch (err) {
      logger.error({ err }, 'Reading the workers failed.');
      return null;
    }
  });
  const stopSyncs = telemetry.observe(SYNC_GAUGES, async () => {
    try {
      const { goodAt, failures, refusedRows, heldJobs } = await jobSyncs.find();
      const age = goodAt === null ? 0 : Math.max(0, (await storageClock.sync()) - goodAt);
      return [age / 1_000, failures, refusedRows, heldJobs];
    } catch (err) {
      logger.error({ err }, 'Reading the state of the job syncs failed.');
      return null;
    }
  });
  return () => {
    stopSyncs();
    stopStorage();
    stopWatch();
    stopWorkers();
  };
}

/**
 * Returns the instant from which the gauge counts the time without a sweep: the end of the last sweep or, before the
 * first one, the start of the first worker. A sleeping worker sweeps when it wakes, so the time of its sleep does not
 * count.
 */
function sweptAt(listed: readonly WorkerInstance[], now: Instant): Instant {
  const wakings = listed.flatMap(({ sleepsUntil }) => sleepsUntil ?? []);
  const wakesAt = Math.min(now, Math.max(...wakings, Number.NEGATIVE_INFINITY));
  return Math.max(wakesAt, lastSweepAt(listed, now));
}

function lastSweepAt(listed: readonly WorkerInstance[], now: Instant): Instant {
  const sweeps = listed.flatMap(({ lastSweepAt }) => lastSweepAt ?? []);
  if (sweeps.length > 0) return Math.max(...sweeps);
  return Math.min(now, ...listed.map(({ startedAt }) => startedAt));
}
