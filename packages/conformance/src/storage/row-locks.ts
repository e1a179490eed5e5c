import type { Repositories } from '@partner-hiring/core/ports';
import { describe, expect, it } from 'vitest';
import {
  COMPANY_ID,
  KEY_ID,
  sampleApplication,
  sampleCompany,
  sampleEndpoint,
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
