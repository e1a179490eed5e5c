/** Random crashes, failures and pauses lose no event. */

import { settle } from '@partner-hiring/test-support/clock';
import { answered } from '@partner-hiring/test-support/transport';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { KeyId } from '../../../packages/core/src/domain/ids.js';
import { HOUR_MS } from '../../../packages/core/src/domain/time.js';
import { openStage, type Stage } from './stage.js';

const LEASE_MS = 90_000;
const KEYS = 2;

type Step =
  | { readonly do: 'record'; readonly key: number; readonly count: number }
  | { readonly do: 'answer'; readonly seed: number; readonly failing: number }
  | { readonly do: 'drain' }
  | { readonly do: 'crash' }
  | { readonly do: 'pause' | 'resume'; readonly key: number }
  | { readonly do: 'advance'; readonly ms: number };

const key = fc.integer({ min: 0, max: KEYS - 1 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('record' as const), key, count: fc.integer({ min: 1, max: 9 }) }),
  fc.record({
    do: fc.constant('answer' as const),
    seed: fc.nat(99),
    failing: fc.integer({ min: 0, max: 3 }),
  }),
  fc.record({ do: fc.constant('drain' as const) }),
  fc.record({ do: fc.constant('crash' as const) }),
  fc.record({ do: fc.constantFrom('pause' as const, 'resume' as const), key }),
  fc.record({ do: fc.constant('advance' as const), ms: fc.constantFrom(50, 1_000, 60_000, 400_000) }),
);

it('loses no event, and repeats one only after a crash', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
      const stage = await openStage();
      try {
        await play(stage, steps);
      } finally {
        await stage.close();
      }
    }),
    { numRuns: 8 },
  );
});

async function play(stage: Stage, steps: readonly Step[]): Promise<void> {
  const keys: KeyId[] = [];
  for (let count = 0; count < KEYS; count += 1) keys.push(await stage.key());
  const keyOf = (index: number) => keys[index] ?? 'key_';
  const recorded: string[] = [];
  const accepted: string[] = [];
  let crashes = 0;
  let answer = (_: number): 200 | 500 => 200;
  let posts = 0;
  stage.transport.answerWith(({ body }) => {
    posts += 1;
    const status = answer(posts);
    if (status === 200) accepted.push((JSON.parse(body) as { readonly id: string }).id);
    return answered(status);
  });

  for (const each of steps) {
    if (each.do === 'record') {
      const events = await stage.record(keyOf(each.key), each.count);
      recorded.push(...events.map(({ id }) => id));
    } else if (each.do === 'answer') {
      answer = (post) => ((post * 7 + each.seed) % 4 < each.failing ? 500 : 200);
    } else if (each.do === 'drain') await stage.worker().drain();
    else if (each.do === 'pause') await stage.pause(keyOf(each.key));
    else if (each.do === 'resume') await stage.resume(keyOf(each.key));
    else if (each.do === 'advance') await stage.clock.advance(each.ms);
    else {
      crashes += 1;
      await crash(stage);
    }
  }

  answer = () => 200;
  for (const keyId of keys) await stage.resume(keyId);
  // Longer than a crashed worker's lease and the longest retry delay here.
  for (let quarters = 0; quarters < 10; quarters += 1) {
    await stage.worker().drain();
    await stage.clock.advance(6 * HOUR_MS);
  }
  await stage.worker().drain();

  expect([...new Set(accepted)].sort()).toEqual([...recorded].sort());
  if (crashes === 0) expect(accepted).toHaveLength(recorded.length);
  for (const keyId of keys) {
    const pending = await stage.storage.direct.deliveries.list({ keyId, state: 'pending', limit: 100 });
    expect(pending).toEqual([]);
  }
}

/** Runs a worker that sends but never records, until its leases expire. */
async function crash(stage: Stage): Promise<void> {
  const dying = stage.worker({
    storage: {
      direct: stage.storage.direct,
      transaction: () => Promise.reject(new Error('The process is gone.')),
    },
    options: { stopWithinMs: 1 },
  });
  dying.start();
  await settle(20);
  const stopped = dying.stop();
  await stage.clock.advance(1);
  await stopped;
  await stage.clock.advance(LEASE_MS);
}
