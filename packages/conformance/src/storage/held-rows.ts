import type { Repositories, Storage } from '@partner-hiring/core/ports';
import { describe, expect, it } from 'vitest';
import { pause } from './follow-feed.js';
import {
  appendStamped,
  KEY_ID,
  LONG_LEASE_MS,
  OTHER_KEY_ID,
  sampleEndpoint,
  sampleEvent,
  sampleSecret,
  seed,
  T0,
} from './samples.js';
import { type OpenStorage, useStorage } from './storage-under-test.js';

const LEASE = { token: 'mine', forMs: LONG_LEASE_MS };
const BOTH = [KEY_ID, OTHER_KEY_ID].map((keyId) => ({ keyId, token: LEASE.token }));
const HASHES = ['hash-1', 'hash-2'];

interface Question {
  prepare(direct: Repositories): Promise<unknown>;
  hold(tx: Repositories): Promise<unknown>;
  ask(storage: Storage<never>): Promise<unknown>;
  readonly held: unknown;
  readonly free: unknown;
}

async function leaseBoth(direct: Repositories): Promise<void> {
  for (const keyId of [KEY_ID, OTHER_KEY_ID]) {
    await direct.endpoints.save(sampleEndpoint(keyId));
    await appendStamped(direct, [sampleEvent(1, T0 + 1, keyId)]);
  }
  expect(await direct.endpoints.lease(LEASE, T0, 2)).toHaveLength(2);
}

const TAKEN = [KEY_ID, OTHER_KEY_ID].map((keyId) => ({ keyId, count: 1, first: T0 + 5 }));
const LEASED = [KEY_ID, OTHER_KEY_ID].map((keyId) => ({ endpoint: sampleEndpoint(keyId), watermark: T0 }));

/**
 * Calls that ask for the rows of two keys in one batch. If a transaction holds the row of one key, the other
 * key must not wait for it.
 */
const QUESTIONS: Readonly<Record<string, Question>> = {
  'feed.takeFree': {
    prepare: async () => {},
    hold: ({ feed }) => feed.take([{ keyId: KEY_ID, count: 1 }], T0 + 4),
    ask: ({ direct: { feed } }) =>
      feed.takeFree(
        BOTH.map(({ keyId }) => ({ keyId, count: 1 })),
        T0 + 5,
      ),
    held: [null, TAKEN[1]],
    free: TAKEN,
  },
  'endpoints.findLeased': {
    prepare: leaseBoth,
    hold: ({ endpoints }) => endpoints.findForUpdate(KEY_ID),
    ask: (storage) => storage.transaction(({ endpoints }) => endpoints.findLeased(BOTH)),
    held: ['busy', LEASED[1]],
    free: LEASED,
  },
  'endpoints.renew': {
    prepare: leaseBoth,
    hold: ({ endpoints }) => endpoints.findForUpdate(KEY_ID),
    ask: ({ direct: { endpoints } }) =>
      endpoints.renew(BOTH.map((holding) => ({ ...holding, forMs: LONG_LEASE_MS }))),
    held: ['busy', 'held'],
    free: ['held', 'held'],
  },
  'keys.touchSecrets': {
    prepare: async ({ keys }) => {
      for (const hash of HASHES) await keys.addSecret(sampleSecret(hash));
    },
    hold: ({ keys }) => keys.saveSecrets([sampleSecret('hash-1', { expiresAt: T0 + 9 })]),
    ask: async ({ direct: { keys } }) => {
      await keys.touchSecrets(HASHES, T0 + 5);
      return (await keys.findByHashes(HASHES)).map((found) => found?.secret.lastUsedAt);
    },
    held: [null, T0 + 5],
    free: [T0 + 5, T0 + 5],
  },
};

export function describeHeldRows<HostTx>(open: OpenStorage<HostTx>): void {
  describe('a row that another transaction has locked', () => {
    const opened = useStorage(open);

    it.each(Object.keys(QUESTIONS))(
      'is skipped, or waits where only one transaction can write: %s',
      async (name) => {
        const question = QUESTIONS[name];
        if (question === undefined) throw new Error('No such question.');
        await seed(opened.direct);
        await question.prepare(opened.direct);
        const other = await opened.another();
        let isHeld = true;
        let answer: Promise<unknown> | undefined;
        await opened.storage.transaction(async (tx) => {
          await question.hold(tx);
          answer = question.ask(other).then((found) => ({ isHeld, found }));
          await Promise.race([answer, pause(300)]);
          isHeld = false;
        });
        const given = await answer;
        expect([
          { isHeld: true, found: question.held },
          { isHeld: false, found: question.free },
        ]).toContainEqual(given);
        await expect(question.ask(other)).resolves.toEqual(
          name === 'feed.takeFree' ? expect.anything() : question.free,
        );
      },
    );
  });
}
