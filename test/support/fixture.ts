import {
  createPartnerHiring,
  type OperatorAlert,
  type PartnerHiring,
  type PartnerHiringOptions,
  type Random,
  type ResumeFile,
} from '@partner-hiring/core';
import { createTestInstance, type TemporaryDatabase } from '@partner-hiring/testing';
import { expect } from 'vitest';
import { createFakeClock, type FakeClock } from './clock.js';
import { createTestDatabase, type HostTransaction } from './storages.js';
import { createRecordingTransport, type RecordingTransport } from './transport.js';

/** A platform in one process: real storage, a fake clock, and a recorded network. */
export interface Fixture {
  readonly clock: FakeClock;
  readonly partnerHiring: PartnerHiring<HostTransaction>;
  readonly operator: PartnerHiring<HostTransaction>['operator'];
  readonly transport: RecordingTransport;
  readonly alerts: readonly OperatorAlert[];
  readonly resumeFiles: readonly ResumeFile[];
  /** Advances time in steps of `stepMs`, and runs due work. */
  pass(ms: number, stepMs?: number): Promise<void>;
  close(): Promise<void>;
}

/** Opens a platform on a new database. `random` replaces some of its random functions. */
export async function createFixture(
  options: Partial<PartnerHiringOptions<HostTransaction>> = {},
  random: Partial<Random> = {},
  clock = createFakeClock(),
): Promise<Fixture> {
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
    pass: (ms, stepMs = ms) => advance(ms, { stepMs: Math.max(1, stepMs) }),
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
