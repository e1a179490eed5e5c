import { expect, test } from 'vitest';
import { createFakeClock } from '../../../../test/support/clock.js';
import type { KeyId } from '../domain/ids.js';
import type { SandboxStep } from '../domain/sandbox-step.js';
import { StorageUnavailable } from '../errors.js';
import type { SandboxStepper } from '../ports/sandbox-stepper.js';
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
        listHeads: async () => heads,
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
    logger: { debug() {}, info() {}, warn() {}, error: (fields) => void logged.push(fields) },
  });
  return { clock, player, planned, taken, logged };
}

test('every feed that moved is read once, few at a look', async () => {
  const { player, planned } = createStage(40);
  const looks = [await player.look(), await player.look(), await player.look(), await player.look()];
  expect(looks).toEqual(['full', 'full', 'some', 'nothing']);
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
  await stage.player.look();
  await stage.player.look();
  expect(stage.planned).toEqual(['key_1']);
  expect(stage.logged).toMatchObject([{ keyId: 'key_0' }]);

  isBroken = false;
  await stage.clock.advance(30_000);
  await stage.player.look();
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
  await stage.player.look();
  expect(await stage.player.look()).toBe('nothing');
  expect([taken, stage.logged.length]).toEqual([['ej_app_b'], 1]);

  isBroken = false;
  await stage.clock.advance(30_000);
  await stage.player.look();
  expect(taken).toEqual(['ej_app_b', 'ej_app_a']);
});

test('an outage of the storage is no sandbox’s own fault: the look fails, and nothing is forgotten', async () => {
  let isDown = true;
  const stage = createStage(1, {
    prepare: async () => {
      if (isDown) throw new StorageUnavailable('It is down.');
    },
  });
  await expect(stage.player.look()).rejects.toThrow(StorageUnavailable);
  expect(stage.logged).toEqual([]);
  isDown = false;
  expect(await stage.player.look()).toBe('some');
  expect(stage.planned).toEqual(['key_0']);
});

test('a sandbox that fails rests no longer because the clock was set back', async () => {
  let isBroken = true;
  const stage = createStage(1, {
    prepare: async () => {
      if (isBroken) throw new Error('broken');
    },
  });
  await stage.player.look();
  isBroken = false;
  stage.clock.setBack(3_600_000);
  await stage.clock.advance(30_000);
  await stage.player.look();
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
  await stage.player.look();
  await stage.clock.advance(500);
  await stage.player.look();
  await stage.player.look();
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
  expect(await player.look()).toBe('full');
  expect(await player.look()).toBe('full');
  expect(pages).toHaveLength(32);
  expect(pages).toContain('key_16');
  expect(await player.look()).toBe('full');
  expect(await player.look()).toBe('some');
  expect(await player.look()).toBe('nothing');
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
  expect([await player.look(), await player.look(), await player.look(), await player.look()]).toEqual([
    'full',
    'full',
    'some',
    'nothing',
  ]);
});
