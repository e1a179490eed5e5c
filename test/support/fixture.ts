import { createPartnerHiring, type PartnerHiringOptions, type Random } from '@partner-hiring/core';
import { createTestInstance, type TemporaryDatabase } from '@partner-hiring/testing';
import { expect } from 'vitest';
import { createFakeClock } from './clock.js';
import { createTestDatabase, type HostTransaction } from './storages.js';
import { createRecordingTransport } from './transport.js';

/** A platform in one process: real storage, a fake clock, and a recorded network. */
export type Fixture = Awaited<ReturnType<typeof createFixture>>;

/** Opens a platform on a new database. `random` replaces some of its random functions. */
export async function createFixture(
  options: Partial<PartnerHiringOptions<HostTransaction>> = {},
  random: Partial<Random> = {},
  clock = createFakeClock(),
) {
  const transport = createRecordingTransport();
  const instance = await createTestInstance({
    database: options.storage === undefined ? await createTestDatabase() : givenStorage(options.storage),
    clock,
    // Downloads of résumés go through a local network in these tests.
    create: ({ resumeSource: _, runtime, ...given }) =>
      createPartnerHiring<HostTransaction, unknown>({
        ...given,
        transport,
        runtime: { ...runtime, random: { ...runtime.random, ...random } },
        ...options,
      }),
  });
  const { partnerHiring, operator, alerts, resumeFiles, advance, close } = instance;
  return {
    clock,
    partnerHiring,
    operator,
    transport,
    alerts,
    resumeFiles,
    /** Advances time in steps of `stepMs`, and runs due work. */
    pass: (ms: number, stepMs = ms) => advance(ms, { stepMs: Math.max(1, stepMs) }),
    close: async () => {
      await close();
      expect(transport.undescribed, 'Deliveries beside the OpenAPI document').toEqual([]);
    },
  };
}

function givenStorage(
  storage: PartnerHiringOptions<HostTransaction>['storage'],
): TemporaryDatabase<HostTransaction, unknown> {
  return { open: async () => storage, remove: async () => {} };
}
