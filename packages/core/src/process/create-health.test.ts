import { expect, it } from 'vitest';
import { StorageUnavailable } from '../errors.js';
import type { WorkerState } from '../worker/worker.js';
import { createHealth } from './create-health.js';

/** A partner API whose storage answers as the test says. */
function setUp(find: () => Promise<string | null> = async () => null) {
  const state: { worker: WorkerState; isStopping: boolean; reads: number } = {
    worker: 'running',
    isStopping: false,
    reads: 0,
  };
  const partnerHiring = {
    silence: () => {
      state.reads += 1;
      return find();
    },
    worker: { state: () => state.worker },
    isStopping: () => state.isStopping,
  };
  return { state, health: createHealth(partnerHiring as unknown as Parameters<typeof createHealth>[0]) };
}

const UP = { status: 200, storage: 'up', worker: 'running', isStopping: false, problems: [], silence: null };

it('is ready while the storage answers, with or without a worker', async () => {
  const { health, state } = setUp();
  expect(await health.ready()).toEqual(UP);
  state.worker = 'not_started';
  expect(await health.ready()).toEqual({ ...UP, worker: 'not_started' });
});

it('is not ready while the storage is unavailable, does not name its address, and recovers', async () => {
  let isAway = true;
  const { health } = setUp(async () => {
    if (isAway) throw new StorageUnavailable('connect ECONNREFUSED 10.0.0.1');
    return null;
  });
  const problems = ['The storage is unavailable.'];
  expect(await health.ready()).toEqual({ ...UP, status: 503, storage: 'down', problems });
  expect(health.live()).toEqual({ ...UP, storage: null });
  isAway = false;
  expect(await health.ready()).toEqual(UP);
});

it('is not ready if the storage is too slow, and shares one read among probes', async () => {
  const { health, state } = setUp(() => new Promise(() => {}));
  const problems = ['The storage did not answer within 1 ms.'];
  const late = { ...UP, status: 503, storage: 'down', problems };
  expect(await Promise.all([health.ready({ timeoutMs: 1 }), health.ready({ timeoutMs: 1 })])).toEqual([
    late,
    late,
  ]);
  expect(await health.ready({ timeoutMs: 1 })).toEqual(late);
  expect(state.reads).toBe(1);
});

it('is not ready while the worker cannot report', async () => {
  const { health, state } = setUp();
  state.worker = 'silent';
  const problems = ['The worker has not reported for 90 seconds.'];
  expect(await health.ready()).toEqual({ ...UP, status: 503, worker: 'silent', problems });
});

it('is not ready while the process stops, without a read, but alive', async () => {
  const { health, state } = setUp();
  state.isStopping = true;
  const stopping = { ...UP, storage: null, isStopping: true };
  const problems = ['The process is stopping.'];
  expect(await health.ready()).toEqual({ ...stopping, status: 503, problems });
  expect(health.live()).toEqual(stopping);
  expect(state.reads).toBe(0);
});

it('is not ready if the stop begins during the read', async () => {
  const { health, state } = setUp(async () => {
    state.isStopping = true;
    return null;
  });
  expect(await health.ready()).toMatchObject({ status: 503, problems: ['The process is stopping.'] });
});

it('rejects with an unexpected error', async () => {
  const { health } = setUp(() => Promise.reject(new TypeError('a bug')));
  await expect(health.ready()).rejects.toThrow('a bug');
});
