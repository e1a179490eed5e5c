import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPartnerHiring, type PartnerHiring, type PartnerHiringOptions } from '@partner-hiring/core';
import type { Random, ResumeFile } from '@partner-hiring/core/ports';
import { createSqliteStorage } from '@partner-hiring/sqlite';
import type { Database } from 'better-sqlite3';
import { createSystemRuntime } from '../../packages/core/src/defaults/system-runtime.js';
import type { OperatorAlert } from '../../packages/core/src/domain/alert.js';
import { createFakeClock, type FakeClock } from './clock.js';
import { createRecordingTransport, type RecordingTransport } from './transport.js';

/** A whole platform in one process: real storage, a clock turned by hand, a network that is recorded. */
export interface World {
  readonly clock: FakeClock;
  readonly partnerHiring: PartnerHiring<Database>;
  readonly operator: PartnerHiring<Database>['operator'];
  readonly transport: RecordingTransport;
  readonly alerts: readonly OperatorAlert[];
  readonly resumes: readonly ResumeFile[];
  /** Moves time on, doing all that falls due at its own instant, at most `stepMs` late. */
  pass(ms: number, stepMs?: number): Promise<void>;
  close(): Promise<void>;
}

/** Seals the stories' signing secrets. */
const TEST_SECRET_KEY = new Uint8Array(32).fill(7);

/** Opens a world on a fresh database. `random` replaces parts of the real randomness. */
export async function createWorld(
  options: Partial<PartnerHiringOptions<Database>> = {},
  random: Partial<Random> = {},
): Promise<World> {
  const runtime = createSystemRuntime();
  const folder = await mkdtemp(join(tmpdir(), 'partner-hiring-'));
  const clock = createFakeClock();
  const transport = createRecordingTransport();
  const alerts: OperatorAlert[] = [];
  const resumes: ResumeFile[] = [];
  const storage =
    options.storage ?? (await createSqliteStorage({ file: join(folder, 'world.sqlite'), clock }));
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
        resumes.push(file);
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
    resumes,
    pass: async (ms, stepMs = ms) => {
      for (let left = ms; left > 0; left -= stepMs) {
        await clock.advance(Math.min(stepMs, left));
        await partnerHiring.worker.drain();
      }
    },
    close: async () => {
      await partnerHiring.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
