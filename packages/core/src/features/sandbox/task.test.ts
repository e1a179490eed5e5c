import { createFakeClock } from '@partner-hiring/test-support/clock';
import { expect, test } from 'vitest';
import type { KeyId } from '../../domain/ids.js';
import { DAY_MS, type Instant } from '../../domain/time.js';
import { StorageUnavailable } from '../../errors.js';
import { createStorageClock } from '../../storage-clock.js';
import type { SandboxStepper } from './service.js';
import type { SandboxStep } from './step-rules.js';
import { createSandboxPlayer } from './task.js';

/** A task for keys whose feeds have all moved. */
function createStage(keys: number, changes: Partial<SandboxStepper> = {}) {
  const clock = createFakeClock();
  const heads = Array.from({ length: keys }, (_, index) => ({
    keyId: `key_${index}` as KeyId,
    environment: 'sandbox' as const,
    at: clock.now(),
  }));
  const planned: KeyId[] = [];
  const taken: SandboxStep[] = [];
  const logged: unknown[] = [];
  const player = createSandboxPlayer({
    direct: {
      feed: {
        listHeads: async (environment) => (environment === 'sandbox' ? heads : []),
        take: async () => [],
        takeSoon: async () => [],
        takeFree: async () => [],
        listRecording: async () => [],
        setRecording: async () => {},
        setFreeRecording: async () => 0,
      },
    },
    stepper: {
      prepare: async () => {},
      plan: async (keyId) => {
        planned.push(keyId);
        return { steps: [], through: clock.now(), hasMore: false };
      },
      take: async (step) => {
        taken.push(step);
        return null;
      },
      ...changes,
    },
    clock,
    storageClock: createStorageClock({ now: async () => clock.now() }, clock),
    logger: { debug() {}, info() {}, warn() {}, error: (fields) => void logged.push(fields) },
  });
  return { clock, player, planned, taken, logged };
}

test('reads every moved feed once, 16 per poll', async () => {
  const { player, planned } = createStage(40);
  const polls = [await player.poll(), await player.poll(), await player.poll(), await player.poll()];
  expect(polls).toEqual(['full', 'full', 'some', 'nothing']);
  expect(new Set(planned).size).toBe(40);
  expect(planned).toHaveLength(40);
});

test('leaves a failing sandbox alone for 30 s and continues with others', async () => {
  let isBroken = true;
  const stage = createStage(2, {
    prepare: async (keyId) => {
      if (keyId === 'key_0' && isBroken) throw new Error('broken');
    },
  });
  await stage.player.poll();
  await stage.player.poll();
  expect(stage.planned).toEqual(['key_1']);
  expect(stage.logged).toMatchObject([{ keyId: 'key_0' }]);

  isBroken = false;
  await stage.clock.advance(30_000);
  await stage.player.poll();
  expect(stage.planned).toEqual(['key_1', 'key_0']);
});

test('retries a failed step after 30 s and takes the others', async () => {
  const taken: string[] = [];
  let isBroken = true;
  const stage = createStage(1, {
    plan: async () => whole(['a', 'b'].map((id) => applicationStep(id))),
    take: async (step) => {
      if (step.kind !== 'application') return null;
      if (step.id === 'ej_app_a' && isBroken) throw new Error('broken');
      taken.push(step.id);
      return null;
    },
  });
  await stage.player.poll();
  expect(await stage.player.poll()).toBe('nothing');
  expect(taken).toEqual(['ej_app_b']);
  expect(stage.logged).toMatchObject([{ step: 'ej_app_a' }]);

  isBroken = false;
  await stage.clock.advance(30_000);
  await stage.player.poll();
  expect(taken).toEqual(['ej_app_b', 'ej_app_a']);
});

test('rejects the poll on an outage and reads the feed later', async () => {
  let isDown = true;
  const stage = createStage(1, {
    prepare: async () => {
      if (isDown) throw new StorageUnavailable('It is down.');
    },
  });
  await expect(stage.player.poll()).rejects.toThrow(StorageUnavailable);
  expect(stage.logged).toEqual([]);
  isDown = false;
  expect(await stage.player.poll()).toBe('some');
  expect(stage.planned).toEqual(['key_0']);
});

test('does not prolong the cooldown when the clock is set back', async () => {
  let isBroken = true;
  const stage = createStage(1, {
    prepare: async () => {
      if (isBroken) throw new Error('broken');
    },
  });
  await stage.player.poll();
  isBroken = false;
  stage.clock.setBack(3_600_000);
  await stage.clock.advance(30_000);
  await stage.player.poll();
  expect(stage.planned).toEqual(['key_0']);
});

test('takes a step later when the clock is set back during the first try', async () => {
  const taken: string[] = [];
  const dueAt = createFakeClock().now();
  const stage = createStage(1, {
    plan: async () => whole([applicationStep('a', dueAt)]),
    take: async () => {
      if (taken.length === 0) stage.clock.setBack(500);
      taken.push(stage.clock.now() < dueAt ? 'too early' : 'done');
      return stage.clock.now() < dueAt ? dueAt : null;
    },
  });
  await stage.player.poll();
  await stage.clock.advance(500);
  await stage.player.poll();
  await stage.player.poll();
  expect(taken).toEqual(['too early', 'done']);
});

test('alternates between a feed of many pages and other feeds', async () => {
  const pages: KeyId[] = [];
  const { player, clock } = createStage(17, {
    plan: async (keyId) => {
      pages.push(keyId);
      const isLong = keyId !== 'key_16' && pages.filter((other) => other === keyId).length < 3;
      return { steps: [], through: isLong ? 0 : clock.now(), hasMore: isLong };
    },
  });
  expect(await player.poll()).toBe('full');
  expect(await player.poll()).toBe('full');
  expect(pages).toHaveLength(32);
  expect(pages).toContain('key_16');
  expect(await player.poll()).toBe('full');
  expect(await player.poll()).toBe('some');
  expect(await player.poll()).toBe('nothing');
  expect(pages).toHaveLength(16 * 3 + 1);
});

test('reads all pages of a feed without waiting', async () => {
  let page = 0;
  const { player, clock } = createStage(1, {
    plan: async () => {
      page += 1;
      return { steps: [], through: page === 3 ? clock.now() : page, hasMore: page < 3 };
    },
  });
  expect([await player.poll(), await player.poll(), await player.poll(), await player.poll()]).toEqual([
    'full',
    'full',
    'some',
    'nothing',
  ]);
});

test('reads a feed from a week ago, then continues; prepares its key once', async () => {
  const reads: Instant[] = [];
  const prepared: KeyId[] = [];
  const { player, clock } = createStage(1, {
    prepare: async (keyId) => void prepared.push(keyId),
    plan: async (_keyId, after) => {
      reads.push(after);
      return { steps: [], through: clock.now() - 2 + reads.length, hasMore: reads.length < 2 };
    },
  });
  await player.poll();
  await player.poll();
  expect(reads).toEqual([clock.now() - 7 * DAY_MS, clock.now() - 1]);
  expect(prepared).toEqual(['key_0']);
});

test('takes 32 steps per poll, one at a time', async () => {
  let [inProgress, taken] = [0, 0];
  const { player } = createStage(1, {
    plan: async () => whole(Array.from({ length: 40 }, (_, index) => applicationStep(`${index}`))),
    take: async () => {
      inProgress += 1;
      await Promise.resolve();
      expect(inProgress).toBe(1);
      inProgress -= 1;
      taken += 1;
      return null;
    },
  });
  const polls: unknown[] = [];
  for (let poll = 0; poll < 3; poll += 1) polls.push([await player.poll(), taken]);
  expect(polls).toEqual([
    ['full', 32],
    ['some', 40],
    ['nothing', 40],
  ]);
});

test('takes a postponed step when it is due', async () => {
  const taken: SandboxStep[] = [];
  const later = createFakeClock().now() + 1_000;
  const { player, clock } = createStage(1, {
    plan: async () => whole([applicationStep('a')]),
    take: async (step) => {
      taken.push(step);
      return taken.length === 1 ? later : null;
    },
  });
  await player.poll();
  await clock.advance(999);
  expect(await player.poll()).toBe('nothing');
  await clock.advance(1);
  await player.poll();
  expect(taken).toEqual([applicationStep('a'), applicationStep('a', later)]);
});

test('rejects the poll on an outage during a step and takes the step later', async () => {
  let isDown = true;
  const taken: SandboxStep[] = [];
  const { player, logged } = createStage(1, {
    plan: async () => whole([applicationStep('a')]),
    take: async (step) => {
      if (isDown) throw new StorageUnavailable('It is down.');
      taken.push(step);
      return null;
    },
  });
  await expect(player.poll()).rejects.toThrow(StorageUnavailable);
  isDown = false;
  expect(await player.poll()).toBe('some');
  expect([taken, logged]).toEqual([[applicationStep('a')], []]);
});

test('takes the steps of every job of every key', async () => {
  const { player, taken } = createStage(2, {
    plan: async (keyId) =>
      whole((['closing', 'leaving'] as const).map((name) => ({ kind: 'job', keyId, name, dueAt: 0 }))),
  });
  await player.poll();
  expect(taken).toHaveLength(4);
});

test('does not poll again at once after a failure', async () => {
  const { player } = createStage(1, { prepare: () => Promise.reject(new Error('broken')) });
  expect([await player.poll(), await player.poll()]).toEqual(['some', 'nothing']);
});

function applicationStep(name: string, dueAt: Instant = 0): SandboxStep {
  return { kind: 'application', id: `ej_app_${name}`, dueAt };
}

/** All steps of a feed, which has no more. */
function whole(steps: readonly SandboxStep[]) {
  return { steps, through: Number.MAX_SAFE_INTEGER, hasMore: false };
}
