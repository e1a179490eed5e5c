import { createPartnerHiring, type PartnerHiring, type PartnerHiringOptions } from '@partner-hiring/core';
import type { Random, ResumeFile } from '@partner-hiring/core/ports';
import { expect } from 'vitest';
import { createSystemRuntime } from '../../core/src/defaults/system-runtime.js';
import type { OperatorAlert } from '../../core/src/domain/alert.js';
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

/** Encrypts the signing secrets of the tests. */
const TEST_SECRET_KEY = '0123456789abcdef'.repeat(4);

/** Opens a platform on a new database. `random` replaces parts of the randomness. */
export async function createFixture(
  options: Partial<PartnerHiringOptions<HostTransaction>> = {},
  random: Partial<Random> = {},
  clock = createFakeClock(),
): Promise<Fixture> {
  const runtime = createSystemRuntime();
  const transport = createRecordingTransport();
  const alerts: OperatorAlert[] = [];
  const resumeFiles: ResumeFile[] = [];
  const database = options.storage === undefined ? await createTestDatabase() : null;
  const storage = options.storage ?? (await database?.open(clock));
  if (storage === undefined) throw new Error('The storage is missing.');
  const partnerHiring = createPartnerHiring({
    secretKey: TEST_SECRET_KEY,
    transport,
    runtime: { ...runtime, clock, random: { ...runtime.random, ...random } },
    alerts: {
      alert: async (alert) => {
        alerts.push(alert);
      },
    },
    resumeSink: {
      store: async (file) => {
        resumeFiles.push(file);
        return { location: `memory:${file.applicationId}` };
      },
    },
    ...options,
    storage,
  });

  return {
    clock,
    partnerHiring,
    operator: partnerHiring.operator,
    transport,
    alerts,
    resumeFiles,
    pass: async (ms, stepMs = ms) => {
      for (let left = ms; left > 0; left -= stepMs) {
        await clock.advance(Math.min(stepMs, left));
        await partnerHiring.worker.drain();
      }
    },
    close: async () => {
      await partnerHiring.close();
      await database?.remove();
      expect(transport.undescribed, 'Deliveries beside the OpenAPI document').toEqual([]);
    },
  };
}
