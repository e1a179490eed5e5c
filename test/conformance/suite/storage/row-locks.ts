import type { Repositories, Storage } from '@partner-hiring/core/ports';
import { describe, expect, it } from 'vitest';
import { pause } from './follow-feed.js';
import {
  appendStamped,
  COMPANY_ID,
  KEY_ID,
  LONG_LEASE_MS,
  OTHER_KEY_ID,
  sampleApplication,
  sampleCompany,
  sampleEndpoint,
  sampleEvent,
  sampleHealth,
  sampleSecret,
  sampleSubmission,
  seed,
  T0,
} from './samples.js';
import { type OpenStorage, useStorage } from './storage-under-test.js';

/**
 * A count that a transaction reads and increases. Without the row lock, concurrent transactions lose updates.
 */
interface Counter {
  prepare(direct: Repositories): Promise<unknown>;
  read(tx: Repositories): Promise<number>;
  write(tx: Repositories, count: number): Promise<unknown>;
}

const APPLICATION = sampleApplication(1, T0);

const COUNTERS: Readonly<Record<string, Counter>> = {
  'keys.findForUpdate': {
    prepare: async () => {},
    read: async ({ keys }) => {
      await keys.findForUpdate(KEY_ID);
      return (await keys.listSecrets(KEY_ID)).length;
    },
    write: ({ keys }, count) => keys.addSecret(sampleSecret(`hash-${count}`)),
  },
  'companies.findForUpdate': {
    prepare: ({ companies }) => companies.save({ ...sampleCompany(), name: '0' }),
    read: async ({ companies }) => Number((await companies.findForUpdate([COMPANY_ID]))[0]?.name),
    write: ({ companies }, count) => companies.save({ ...sampleCompany(), name: String(count) }),
  },
  'applications.findForUpdate': {
    prepare: ({ submissions }) => submissions.add([sampleSubmission(APPLICATION)]),
    read: async ({ applications }) =>
      ((await applications.findForUpdate([APPLICATION.id]))[0]?.lastStatusChangeAt ?? 0) - T0,
    write: ({ applications }, count) =>
      applications.saveProgress([{ ...APPLICATION, lastStatusChangeAt: T0 + count }]),
  },
  'endpoints.findForUpdate': {
    prepare: ({ endpoints }) => endpoints.save(sampleEndpoint()),
    read: async ({ endpoints }) =>
      (await endpoints.findForUpdate(KEY_ID))?.health.consecutiveFailures ?? Number.NaN,
    write: ({ endpoints }, count) => endpoints.save(endpointAfter(count)),
  },
};

const TIMES = 6;

export function describeRowLocks<HostTx>(open: OpenStorage<HostTx>): void {
  describe('a read for update locks until the transaction ends', () => {
    const opened = useStorage(open);

    it.each(Object.keys(COUNTERS))('%s', async (name) => {
      const counter = COUNTERS[name];
      if (counter === undefined) throw new Error('No such counter.');
      await seed(opened.direct);
      await counter.prepare(opened.direct);
      const storages = [opened.storage, await opened.another()];
      const increments = Array.from({ length: TIMES }, (_, index) =>
        storages[index % 2]?.transaction(async (tx) => {
          const count = await counter.read(tx);
          await moment();
          await counter.write(tx, count + 1);
          return count;
        }),
      );
      const seen = await Promise.all(increments);
      expect(seen.sort()).toEqual([0, 1, 2, 3, 4, 5]);
      expect(await opened.storage.transaction((tx) => counter.read(tx))).toBe(TIMES);
    });
  });
}

function endpointAfter(failures: number) {
  return sampleEndpoint(KEY_ID, {
    health: sampleHealth({ consecutiveFailures: failures, firstFailureAt: T0 }),
  });
}

/** Waits long enough for another transaction to read a stale value. */
function moment(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 10));
}

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

const TAKEN = [KEY_ID, OTHER_KEY_ID].map((keyId) => ({
  keyId,
  count: 1,
  first: T0 + 5,
  isRecorded: false,
}));
const LEASED = [KEY_ID, OTHER_KEY_ID].map((keyId) => ({ endpoint: sampleEndpoint(keyId), watermark: T0 }));

/**
 * Calls that ask for the rows of two keys in one batch. If another transaction holds the row of one key, the call must
 * still return the row of the other key at once.
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
