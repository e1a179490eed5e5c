/** The option `jobs`: the worker reads the platform's own jobs, in one process at a time. */

import { createPartnerHiring, type SourceJob } from '@partner-hiring/core';
import { createFakeClock, type FakeClock, settle } from '@partner-hiring/test-support/clock';
import { createFixture } from '@partner-hiring/test-support/fixture';
import { createTestDatabase, type TestDatabase } from '@partner-hiring/test-support/storages';
import { createRecordingLogger } from '@partner-hiring/test-support/telemetry';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MINUTE_MS, SECOND_MS } from '../../../packages/core/src/domain/time.js';
import type { JobsOption } from '../../../packages/core/src/features/jobs-sync/job-sync-runner.js';
import { PICKER } from '../operator/stage.js';

let clock: FakeClock;
let database: TestDatabase;
let logger: ReturnType<typeof createRecordingLogger>;
const opened: Awaited<ReturnType<typeof createFixture>>[] = [];

beforeEach(async () => {
  clock = createFakeClock();
  logger = createRecordingLogger();
  database = await createTestDatabase();
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()));
  await database.remove();
});

/** Starts another process on the same database. */
async function startHost(jobs: JobsOption) {
  const storage = await database.open(clock);
  const fixture = await createFixture({ storage, jobs, logger }, {}, clock);
  opened.push(fixture);
  fixture.partnerHiring.worker.start();
  return fixture.partnerHiring;
}

async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= SECOND_MS) {
    await clock.advance(Math.min(left, SECOND_MS));
    await settle();
  }
}

const row = (number: number): SourceJob => ({
  ...PICKER,
  id: `job_${number}`,
  company: { id: 'co_1', name: 'Depot' },
});

describe('the option jobs', () => {
  it('reads the source in one of several processes, again after each time', async () => {
    const reads: string[] = [];
    const jobsOf = (name: string): JobsOption => ({
      everyMs: MINUTE_MS,
      async *read() {
        reads.push(name);
        yield row(1);
      },
    });
    const hosts = [];
    for (const name of ['one', 'two', 'three']) hosts.push(await startHost(jobsOf(name)));
    await pass(10 * SECOND_MS);
    expect(reads).toHaveLength(1);
    const [host] = hosts;
    expect(await host?.operator.jobs.find({ id: 'job_1' })).toMatchObject({
      state: 'open',
      companyId: 'co_1',
    });
    await pass(3 * MINUTE_MS);
    expect(reads.length).toBeGreaterThanOrEqual(3);
    expect(reads.length).toBeLessThanOrEqual(4);
    expect(logger.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('begins a run at once that an operator asks for, and tells what is wrong with the source', async () => {
    let isBroken = false;
    const host = await startHost({
      read() {
        if (isBroken) throw new Error('The table is locked.');
        return [row(1)];
      },
    });
    await pass(5 * SECOND_MS);
    isBroken = true;
    expect(await host.operator.jobs.syncs.request()).toEqual({ changed: true });
    await pass(5 * SECOND_MS);
    expect((await host.operator.jobs.syncs.last()).operation).toMatchObject({
      state: 'failed',
      startedBy: { id: 'system:jobs-sync' },
    });
    expect(await host.operator.jobs.find({ id: 'job_1' })).toMatchObject({ state: 'open' });
    expect(logger.lines.some(({ level }) => level === 'error')).toBe(true);
  });

  it('stops a run with the worker, so that another worker begins the next one at once', async () => {
    const first = await startHost({
      async *read() {
        yield row(1);
        await new Promise<never>(() => {});
      },
    });
    await pass(2 * SECOND_MS);
    await first.worker.stop();
    expect((await first.operator.jobs.syncs.last()).operation).toMatchObject({ state: 'stopped' });
    const second = await startHost({ read: () => [row(1), row(2)] });
    await pass(5 * SECOND_MS);
    expect((await second.operator.jobs.syncs.last()).operation).toMatchObject({
      state: 'done',
      sync: { added: 2 },
    });
  });

  it.each([
    [{}, 'read'],
    [{ read: () => [], everyMs: 0 }, 'everyMs'],
    [{ read: () => [], missing: 'drop' }, 'missing'],
    [{ read: () => [], missingShareAtMost: 20 }, 'missingShareAtMost'],
    [{ read: () => [], every: 5 }, 'every'],
  ])('refuses %j, and names the fix', async (jobs, name) => {
    const storage = await database.open(clock);
    const options = { storage, secretKey: new Uint8Array(32), jobs: jobs as unknown as JobsOption };
    expect(() => createPartnerHiring(options)).toThrow(name);
    await storage.close();
  });
});
