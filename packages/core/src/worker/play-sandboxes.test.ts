import { createFakeClock } from '@partner-hiring/test-support/clock';
import { expect, test } from 'vitest';
import type { KeyId } from '../domain/ids.js';
import type { SandboxStep } from '../domain/sandbox-step.js';
import { DAY_MS, type Instant } from '../domain/time.js';
import { StorageUnavailable } from '../errors.js';
import type { SandboxStepper } from '../ports/sandbox-stepper.js';
import { createStorageClock } from '../storage-clock.js';
import { createSandboxPlayer } from './play-sandboxes.js';

/** A player over so many keys whose feeds have all moved; what each does comes from the story. */
function createStage(keys: number, changes: Partial<SandboxStepper> = {}) {
  const clock = createFakeClock();
  const heads = Array.from({ length: keys }, (_, index) => ({
    keyId: `key_${index}` as KeyId,
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

test('every feed that moved is read once, few at a look', async () => {
  const { player, planned } = createStage(40);
  const polls = [await player.poll(), await player.poll(), await player.poll(), await player.poll()];
  expect(polls).toEqual(['full', 'full', 'some', 'nothing']);
  expect(new Set(planned).size).toBe(40);
  expect(planned).toHaveLength(40);
});

test('a sandbox that fails rests, and holds no other up', async () => {
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

test('a step that fails is taken again later, and the others are taken meanwhile', async () => {
  const taken: string[] = [];
  let isBroken = true;
  const stage = createStage(1, {
    plan: async () => ({
      steps: ['a', 'b'].map((id) => ({ kind: 'application', id: `ej_app_${id}`, dueAt: 0 })),
      through: Number.MAX_SAFE_INTEGER,
      hasMore: false,
    }),
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

test('an outage of the storage is no sandbox’s own fault: the look fails, and nothing is forgotten', async () => {
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

test('a sandbox that fails rests no longer because the clock was set back', async () => {
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

test('a step that is not due after all, because the clock was set back as it was taken, is taken later', async () => {
  const taken: string[] = [];
  const dueAt = createFakeClock().now();
  const stage = createStage(1, {
    plan: async () => ({
      steps: [{ kind: 'application', id: 'ej_app_a', dueAt }],
      through: Number.MAX_SAFE_INTEGER,
      hasMore: false,
    }),
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

test('a feed of many pages is read on at once, and keeps no other feed waiting', async () => {
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

test('a single feed of many pages does not wait for the next poll between them', async () => {
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

test('a feed is first read a week back, and then from where it was read through; its key is prepared once', async () => {
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

test('steps that are due are taken few at a look, one after the other, and the rest with the looks that follow', async () => {
  let [underWay, taken] = [0, 0];
  const { player } = createStage(1, {
    plan: async () => ({
      steps: Array.from({ length: 40 }, (_, index) => applicationStep(`${index}`)),
      through: Number.MAX_SAFE_INTEGER,
      hasMore: false,
    }),
    take: async () => {
      underWay += 1;
      await Promise.resolve();
      expect(underWay).toBe(1);
      underWay -= 1;
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

test('a step that is due later after all is taken then, and no sooner', async () => {
  const taken: SandboxStep[] = [];
  const later = createFakeClock().now() + 1_000;
  const { player, clock } = createStage(1, {
    plan: async () => ({
      steps: [applicationStep('a')],
      through: Number.MAX_SAFE_INTEGER,
      hasMore: false,
    }),
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

test('an outage of the storage as a step is taken fails the look; the step is taken at once afterwards', async () => {
  let isDown = true;
  const taken: SandboxStep[] = [];
  const { player, logged } = createStage(1, {
    plan: async () => ({ steps: [applicationStep('a')], through: Number.MAX_SAFE_INTEGER, hasMore: false }),
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

test('the steps of each job of each key are taken, whatever others are planned', async () => {
  const { player, taken } = createStage(2, {
    plan: async (keyId) => ({
      steps: (['closing', 'leaving'] as const).map((name) => ({ kind: 'job', keyId, name, dueAt: 0 })),
      through: Number.MAX_SAFE_INTEGER,
      hasMore: false,
    }),
  });
  await player.poll();
  expect(taken).toHaveLength(4);
});

test('a sandbox that fails is no reason to look again at once', async () => {
  const { player } = createStage(1, { prepare: () => Promise.reject(new Error('broken')) });
  expect([await player.poll(), await player.poll()]).toEqual(['some', 'nothing']);
});

function applicationStep(name: string, dueAt: Instant = 0): SandboxStep {
  return { kind: 'application', id: `ej_app_${name}`, dueAt };
}
