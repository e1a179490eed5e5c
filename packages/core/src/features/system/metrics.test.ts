import { createRecordingLogger, createRecordingTelemetry } from '@partner-hiring/test-support/telemetry';
import { expect, it } from 'vitest';
import { standingOf } from '../../domain/deployment.js';
import type { WorkerInstance } from '../../domain/worker-instance.js';
import type { WorkerRepository } from '../../ports/repositories/system.js';
import type { JobSyncRepository } from '../jobs-sync/repository.js';
import { NO_SYNC } from '../jobs-sync/rules.js';
import { observeSystem } from './metrics.js';

const NOW = 10_000_000;
const WORKER: WorkerInstance = {
  id: 'wkr_1',
  name: 'host',
  pid: 1,
  release: '0.1.0',
  deployment: null,
  startedAt: NOW - 600_000,
  lastSeenAt: NOW - 90_000,
  lastSweepAt: null,
  sleepsUntil: null,
  sealing: null,
};

/** Observes a database with these workers. */
function observe(
  list: WorkerRepository['list'],
  sync: () => Promise<number> = async () => NOW,
  state = NO_SYNC,
) {
  const telemetry = createRecordingTelemetry();
  const logger = createRecordingLogger();
  const workers = { list } as WorkerRepository;
  const standing = async () => standingOf('staging', { name: 'production', namedAt: 1, isInPlace: true });
  const jobSyncs = { find: async () => state } as JobSyncRepository;
  const stop = observeSystem(telemetry, { workers, jobSyncs }, standing, { sync }, logger);
  return { collect: telemetry.collect, lines: logger.lines, stop };
}

it('reports the living workers and the age of the last sweep', async () => {
  const { collect, stop } = observe(async () => [
    { ...WORKER, lastSweepAt: NOW - 30_500 },
    { ...WORKER, lastSeenAt: NOW - 90_001, lastSweepAt: NOW - 200_000 },
  ]);
  expect(await collect()).toEqual({
    'partner_hiring.storage.up {storage}': 1,
    'partner_hiring.deployment.silent {process}': 1,
    'partner_hiring.worker.alive {worker}': 1,
    'partner_hiring.sweep.age s': 30.5,
    'partner_hiring.job_sync.age s': 0,
    'partner_hiring.job_sync.failures {run}': 0,
    'partner_hiring.job_sync.refused {row}': 0,
    'partner_hiring.job_sync.held {job}': 0,
  });
  stop();
  expect(await collect()).toEqual({});
});

it('reports how the job syncs ended', async () => {
  const state = { ...NO_SYNC, goodAt: NOW - 90_500, failures: 2, refusedRows: 3, heldJobs: 40 };
  expect(await observe(async () => [], undefined, state).collect()).toMatchObject({
    'partner_hiring.job_sync.age s': 90.5,
    'partner_hiring.job_sync.failures {run}': 2,
    'partner_hiring.job_sync.refused {row}': 3,
    'partner_hiring.job_sync.held {job}': 40,
  });
});

it('before the first sweep, reports the time since the first worker started', async () => {
  const later = { ...WORKER, startedAt: NOW - 1_000 };
  expect(Object.values(await observe(async () => [later, WORKER]).collect())).toEqual([
    1, 1, 2, 600, 0, 0, 0, 0,
  ]);
});

it.each([
  ['sleeps', 60_000, [1, 1, 0]],
  ['should have woken 90 seconds ago', -90_000, [1, 1, 90]],
  ['should have woken before that', -90_001, [1, 0, 90.001]],
])('judges a worker that %s by the wake-up that it announced', async (_, wakesIn, expected) => {
  const seen = { lastSeenAt: NOW - 3_600_000, lastSweepAt: NOW - 3_600_000 };
  const { collect } = observe(async () => [{ ...WORKER, ...seen, sleepsUntil: NOW + wakesIn }]);
  const [isUp, , alive, sweptAgo] = Object.values(await collect());
  expect([isUp, alive, sweptAgo]).toEqual(expected);
});

it('reports 0 if there is no worker', async () => {
  expect(Object.values(await observe(async () => []).collect())).toEqual([1, 1, 0, 0, 0, 0, 0, 0]);
});

it('reports a database that does not answer, and logs the cause once', async () => {
  const { collect, lines } = observe(
    async () => [WORKER],
    () => Promise.reject(new Error('The database is gone.')),
  );
  expect(Object.values(await collect())).toEqual([0, 1, null, null, 0, 0, 0, 0]);
  expect(lines).toEqual([
    {
      level: 'error',
      fields: { err: expect.objectContaining({ message: 'The database is gone.' }) },
      message: 'Reading the workers failed.',
    },
  ]);
});
