/** Started workers are listed while they live, and not after they stopped. */
import { perTest } from '@partner-hiring/test-support/per-test';
import { answered } from '@partner-hiring/test-support/transport';
import { expect, it } from 'vitest';
import type { HourCount } from '../../../packages/core/src/domain/hour-count.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../packages/core/src/domain/time.js';
import { isWorkerAlive } from '../../../packages/core/src/domain/worker-instance.js';
import { StorageUnavailable } from '../../../packages/core/src/errors.js';
import { openStage } from '../worker/stage.js';

const stage = perTest(openStage, ({ close }) => close());

const PROCESS = { name: 'worker-7', pid: 4711, release: '0.1.0', deployment: null } as const;

const listed = () => stage.storage.direct.workers.list(9);

async function attemptsOf(keyId: HourCount['keyId']) {
  const counts = await stage.storage.direct.hourCounts.list({ kind: 'attempt', keyId, from: 0 });
  return counts.map(({ name, count }) => [name, count]);
}

it('a worker is listed from its start on, reports every 30 seconds, and is gone after it stopped', async () => {
  const worker = stage.start({ process: PROCESS });
  await stage.clock.advance(0);
  const startedAt = stage.clock.now();
  expect(await listed()).toEqual([
    {
      id: expect.stringMatching(/^wkr_/),
      ...PROCESS,
      startedAt,
      lastSeenAt: startedAt,
      lastSweepAt: null,
      sleepsUntil: null,
      sealing: { keyIds: null, failingSince: null },
    },
  ]);
  await stage.clock.advance(29_000);
  expect(await listed()).toMatchObject([{ lastSeenAt: startedAt }]);
  await stage.clock.advance(1_000);
  const [again] = await listed();
  expect(again).toMatchObject({ startedAt, lastSeenAt: startedAt + 30_000, lastSweepAt: startedAt });
  await worker.stop();
  expect(await listed()).toEqual([]);
});

it('a worker is silent while it cannot report, and knows whether it runs', async () => {
  const { direct } = stage.storage;
  let isAway = false;
  const workers = {
    ...direct.workers,
    beat: async (beat: Parameters<typeof direct.workers.beat>[0]) => {
      if (isAway) throw new StorageUnavailable('The database is read-only.');
      await direct.workers.beat(beat);
    },
  };
  const storage = { ...stage.storage, direct: { ...direct, workers } };
  const worker = stage.worker({ process: PROCESS, storage });
  expect(worker.state()).toBe('not_started');
  worker.start();
  await stage.clock.advance(30_000);
  isAway = true;
  await stage.clock.advance(90_000);
  expect(worker.state()).toBe('running');
  await stage.clock.advance(1);
  expect(worker.state()).toBe('silent');
  isAway = false;
  await stage.clock.advance(30_000);
  expect(worker.state()).toBe('running');
  await worker.stop();
  expect(worker.state()).toBe('stopped');
});

it('several workers are listed, the one that was seen last first', async () => {
  const first = stage.start({ process: PROCESS });
  await stage.clock.advance(10_000);
  stage.start({ process: { ...PROCESS, pid: 4712 } });
  await stage.clock.advance(0);
  expect((await listed()).map(({ pid }) => pid)).toEqual([4712, 4711]);
  await first.stop();
  expect((await listed()).map(({ pid }) => pid)).toEqual([4712]);
});

it('a worker that never started, or only drains, is not listed', async () => {
  const worker = stage.worker({ process: PROCESS });
  await worker.drain();
  expect(await listed()).toEqual([]);
  await worker.stop();
  worker.start();
  await stage.clock.advance(MINUTE_MS);
  expect(await listed()).toEqual([]);
});

it('a killed worker counts as dead after 90 seconds, and its row is swept after a day', async () => {
  const { workers } = stage.storage.direct;
  await workers.beat({ id: 'wkr_killed', ...PROCESS, lastSweepAt: null, sealing: null, sleepMs: null });
  const [killed] = await listed();
  const seenAt = killed?.lastSeenAt ?? 0;
  expect(isWorkerAlive({ lastSeenAt: seenAt, sleepsUntil: null }, seenAt + 90_000)).toBe(true);
  expect(isWorkerAlive({ lastSeenAt: seenAt, sleepsUntil: null }, seenAt + 90_001)).toBe(false);
  await stage.clock.advance(DAY_MS);
  await stage.worker().drain();
  expect(await listed()).toHaveLength(1);
  await stage.clock.advance(MINUTE_MS);
  await stage.worker().drain();
  expect(await listed()).toEqual([]);
});

it('a heartbeat that fails disturbs neither the deliveries nor the stop', async () => {
  const keyId = await stage.key();
  const { direct, transaction } = stage.storage;
  const fail = async () => {
    throw new StorageUnavailable('The disk is full.');
  };
  const workers = { ...direct.workers, beat: fail, remove: fail };
  const hourCounts = { ...direct.hourCounts, add: fail };
  const storage = { ...stage.storage, direct: { ...direct, workers, hourCounts }, transaction };
  const worker = stage.start({ process: PROCESS, storage });
  const [event] = await stage.record(keyId);
  await stage.clock.advance(MINUTE_MS);
  expect(stage.sent()).toEqual([event?.id]);
  await worker.stop();
  expect(await listed()).toEqual([]);
});

it('attempts are counted by hour, for their key and for all keys', async () => {
  const [keyId, other] = [await stage.key(), await stage.key()];
  await stage.record(keyId, 3);
  const failing = await stage.record(other, 2);
  stage.transport.answerWith(({ body }) => answered(failing.some(({ id }) => body.includes(id)) ? 500 : 200));
  const worker = stage.start({ process: PROCESS });
  for (let second = 0; second <= 30; second += 1) await stage.clock.advance(1_000);
  expect(await attemptsOf(keyId)).toEqual([['succeeded', 3]]);
  expect(await attemptsOf(other)).toEqual([['failed', 2]]);
  expect(await attemptsOf(null)).toEqual([
    ['failed', 2],
    ['succeeded', 3],
  ]);
  await stage.record(keyId, 4);
  await stage.clock.advance(2_000);
  // What is not stored yet is stored by the stop.
  await worker.stop();
  expect(await attemptsOf(keyId)).toEqual([['succeeded', 7]]);
});

it('attempts of a drain are counted at its end, those of a failed write with the next one', async () => {
  const { keyId } = await stage.keyWithEvents(2);
  const { direct, transaction } = stage.storage;
  let isFull = true;
  const hourCounts: typeof direct.hourCounts = {
    ...direct.hourCounts,
    add: async (counts) => {
      if (isFull) throw new StorageUnavailable('The disk is full.');
      return direct.hourCounts.add(counts);
    },
  };
  const worker = stage.worker({ storage: { direct: { ...direct, hourCounts }, transaction } });
  await worker.drain();
  expect(await attemptsOf(keyId)).toEqual([]);
  isFull = false;
  await stage.clock.advance(HOUR_MS);
  await stage.record(keyId);
  await worker.drain();
  expect(await attemptsOf(keyId)).toEqual([
    ['succeeded', 2],
    ['succeeded', 1],
  ]);
});

it('counts are swept after seven days', async () => {
  const { keyId } = await stage.keyWithEvents();
  await stage.worker().drain();
  await stage.clock.advance(7 * DAY_MS);
  await stage.worker().drain();
  expect(await attemptsOf(keyId)).toHaveLength(1);
  await stage.clock.advance(HOUR_MS);
  await stage.worker().drain();
  expect(await attemptsOf(keyId)).toEqual([]);
});
