/** The host's own periodic work: one process at a time. */
import { createPartnerHiring, createSystemRuntime, type PartnerHiring } from '@partner-hiring/core';
import { createFakeClock, type FakeClock } from '@partner-hiring/test-support/clock';
import { createFixture } from '@partner-hiring/test-support/fixture';
import type { HostTransaction, TestDatabase } from '@partner-hiring/test-support/storages';
import { createTestDatabase } from '@partner-hiring/test-support/storages';
import { createRecordingLogger } from '@partner-hiring/test-support/telemetry';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../packages/core/src/domain/time.js';

type Host = PartnerHiring<HostTransaction>;

let clock: FakeClock;
let database: TestDatabase;
const opened: Awaited<ReturnType<typeof createFixture>>[] = [];
let logger: ReturnType<typeof createRecordingLogger>;

beforeEach(async () => {
  logger = createRecordingLogger();
  clock = createFakeClock();
  database = await createTestDatabase();
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()));
  await database.remove();
});

const errors = () => logger.lines.filter(({ level }) => level === 'error');

/** Opens another process on the same database. */
async function openHost(worker: { idlePollMs?: number } = {}): Promise<Host> {
  const fixture = await createFixture({ storage: await database.open(clock), worker, logger }, {}, clock);
  opened.push(fixture);
  return fixture.partnerHiring;
}

async function passSlowly(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= SECOND_MS) await clock.advance(Math.min(left, SECOND_MS));
}

/** Work that ends when the test says so. */
function heldWork() {
  const runs: { readonly signal: AbortSignal; end(): void; fail(): void }[] = [];
  const run = ({ signal }: { readonly signal: AbortSignal }) =>
    new Promise<void>((resolve, reject) => {
      runs.push({ signal, end: resolve, fail: () => reject(new Error('It failed.')) });
    });
  return { runs, run };
}

describe('lease', () => {
  it('runs the work each time in one of two processes, and only while a worker runs', async () => {
    const runs: string[] = [];
    for (const name of ['one', 'two']) {
      const host = await openHost();
      host.lease('report', MINUTE_MS, () => runs.push(name));
      await passSlowly(2 * SECOND_MS);
      expect(runs.length).toBeLessThanOrEqual(1);
      host.worker.start();
      await passSlowly(SECOND_MS);
    }
    expect(runs).toEqual(['one']);
    await passSlowly(10 * MINUTE_MS);
    expect(runs).toHaveLength(11);
    const [first] = opened;
    await first?.partnerHiring.worker.stop();
    await passSlowly(3 * MINUTE_MS);
    expect(runs.slice(-2)).toEqual(['two', 'two']);
    expect(runs).toHaveLength(14);
  });

  it('a run that takes longer than its time and its lease is never joined by a second one', async () => {
    const { runs, run } = heldWork();
    for (const _ of [1, 2]) {
      const host = await openHost();
      host.lease('load', 5 * SECOND_MS, run);
      host.worker.start();
    }
    await passSlowly(5 * MINUTE_MS);
    expect(runs.map(({ signal }) => signal.aborted)).toEqual([false]);
    runs[0]?.end();
    await passSlowly(2 * SECOND_MS);
    expect(runs).toHaveLength(2);
    for (const { end } of runs) end();
  });

  it('work that fails is logged, and runs again when its time has passed', async () => {
    const host = await openHost();
    let runs = 0;
    host.lease('fails', MINUTE_MS, () => {
      runs += 1;
      throw new Error('No disk.');
    });
    host.worker.start();
    await passSlowly(30 * SECOND_MS);
    expect(runs).toBe(1);
    const message = "The host's periodic work failed; it runs again when its time has passed.";
    expect(errors()).toMatchObject([{ fields: { lease: 'fails', everyMs: MINUTE_MS }, message }]);
    await passSlowly(MINUTE_MS);
    expect(runs).toBe(2);
  });

  it('a stop aborts the run, and another process repeats it soon', async () => {
    const { runs, run } = heldWork();
    const [one, two] = [await openHost(), await openHost()];
    one.lease('report', HOUR_MS, run);
    one.worker.start();
    await passSlowly(2 * SECOND_MS);
    two.lease('report', HOUR_MS, run);
    two.worker.start();
    await passSlowly(MINUTE_MS);
    expect(runs).toHaveLength(1);
    const stopped = one.worker.stop();
    expect(runs[0]?.signal.aborted).toBe(true);
    runs[0]?.fail();
    await stopped;
    await passSlowly(35 * SECOND_MS);
    expect(runs.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    runs[1]?.end();
    expect(errors()).toEqual([]);
  });

  it('work that has ended although the worker stops is not repeated', async () => {
    const { runs, run } = heldWork();
    const [one, two] = [await openHost(), await openHost()];
    one.lease('report', HOUR_MS, run);
    one.worker.start();
    await passSlowly(2 * SECOND_MS);
    const stopped = one.worker.stop();
    runs[0]?.end();
    await stopped;
    two.lease('report', HOUR_MS, run);
    two.worker.start();
    await passSlowly(MINUTE_MS);
    expect(runs).toHaveLength(1);
  });

  it('a process that cannot renew its lease aborts the run before another one begins', async () => {
    const storage = await database.open(clock);
    const { leases } = storage.direct;
    let isDown = false;
    const direct = Object.create(storage.direct, {
      leases: {
        value: {
          ...leases,
          renew: async (...given: Parameters<typeof leases.renew>) => {
            if (isDown) throw new Error('The database is down.');
            return leases.renew(...given);
          },
        },
      },
    }) as typeof storage.direct;
    const fixture = await createFixture({ storage: { ...storage, direct }, logger }, {}, clock);
    opened.push(fixture);
    const { runs, run } = heldWork();
    fixture.partnerHiring.lease('report', HOUR_MS, run);
    fixture.partnerHiring.worker.start();
    await passSlowly(2 * SECOND_MS);
    const other = await openHost();
    other.lease('report', HOUR_MS, run);
    other.worker.start();
    await passSlowly(MINUTE_MS);
    isDown = true;
    for (let second = 0; second < 60 && runs.length === 1; second += 1) await passSlowly(SECOND_MS);
    expect(runs.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    for (const { end } of runs) end();
  });

  it('an idle worker wakes for it, and makes no call for it before', async () => {
    const host = await openHost({ idlePollMs: 10 * HOUR_MS });
    const ranAt: number[] = [];
    host.worker.start();
    await passSlowly(3 * MINUTE_MS);
    host.lease('report', HOUR_MS, () => ranAt.push(clock.now()));
    await passSlowly(2 * SECOND_MS);
    expect(ranAt).toHaveLength(1);
    await passSlowly(HOUR_MS);
    const [first = 0, second = 0, ...others] = ranAt;
    expect(others).toEqual([]);
    expect(second - first).toBeGreaterThanOrEqual(HOUR_MS);
    expect(second - first).toBeLessThanOrEqual(HOUR_MS + 2 * SECOND_MS);
  });

  it('a drain runs what is due once, and its limit ends a run', async () => {
    const host = await openHost();
    const ended: string[] = [];
    host.lease('quick', SECOND_MS, () => ended.push('quick'));
    await host.worker.drain();
    expect(ended).toEqual(['quick']);
    const limited = createPartnerHiring({
      storage: await database.open(clock),
      secretKey: '0123456789abcdef'.repeat(4),
      runtime: { ...createSystemRuntime(), clock },
    });
    onTestFinished(() => limited.close());
    const { runs, run } = heldWork();
    limited.lease('slow', HOUR_MS, run);
    const drained = limited.worker.drain({ withinMs: 4 * SECOND_MS });
    await passSlowly(4 * SECOND_MS);
    for (const { fail } of runs) fail();
    await drained;
    expect(runs.map(({ signal }) => signal.aborted)).toEqual([true]);
  });

  it.each([
    ['', MINUTE_MS, () => {}, /`name` must have 1 to 100/],
    ['nightly report', MINUTE_MS, () => {}, /`name` must have 1 to 100/],
    ['n'.repeat(101), MINUTE_MS, () => {}, /`name` must have 1 to 100/],
    ['report', 999, () => {}, /`everyMs` is 999, but must be a whole number/],
    ['report', 1_000.5, () => {}, /`everyMs` is 1000.5/],
    ['report', Number.NaN, () => {}, /`everyMs` is NaN/],
    ['report', MINUTE_MS, undefined, /`run` must be a function/],
    ['taken', MINUTE_MS, () => {}, /has a lease `taken` already/],
  ])('refuses %j every %s ms', async (name, everyMs, run, message) => {
    const host = await openHost();
    host.lease('taken', MINUTE_MS, () => {});
    expect(() => host.lease(name, everyMs, run as never)).toThrow(message);
  });
});
