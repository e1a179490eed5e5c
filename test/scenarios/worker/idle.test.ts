/** A worker with nothing to do sleeps, so that its database may pause. */

import { createFakeClock } from '@partner-hiring/test-support/clock';
import { createFixture } from '@partner-hiring/test-support/fixture';
import { submission } from '@partner-hiring/test-support/partner';
import type { HostTransaction } from '@partner-hiring/test-support/storages';
import { createTestDatabase } from '@partner-hiring/test-support/storages';
import { beginStory, type Story } from '@partner-hiring/test-support/story';
import { answered } from '@partner-hiring/test-support/transport';
import { afterEach, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../packages/core/src/domain/time.js';
import { isWorkerAlive } from '../../../packages/core/src/domain/worker-instance.js';
import type { PartnerHiringOptions } from '../../../packages/core/src/options.js';
import type { Repositories } from '../../../packages/core/src/ports/storage.js';

const clock = createFakeClock();
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let story: Story;
/** The names of the calls of repositories since the last look. */
const calls: string[] = [];

afterEach(async () => {
  await story.fixture.close();
  await database.remove();
});

/** Starts a worker that is idle after its first events. */
async function startIdle(options: Partial<PartnerHiringOptions<HostTransaction>> = {}): Promise<void> {
  database = await createTestDatabase();
  const opened = await database.open(clock);
  const storage = { ...opened, direct: counted(opened.direct) };
  story = await beginStory(
    { storage, worker: { idlePollMs: HOUR_MS }, sandbox: true, ...options },
    {},
    clock,
  );
  story.fixture.partnerHiring.worker.start();
  // Long enough for the sweep after which the feeds are quiet.
  await passSlowly(3 * MINUTE_MS);
  calls.length = 0;
}

async function passSlowly(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= SECOND_MS) await clock.advance(Math.min(left, SECOND_MS));
}

function counted(direct: Repositories): Repositories {
  const wrap = <Repository extends object>(name: string, repository: Repository): Repository =>
    new Proxy(repository, {
      get(target, method, receiver) {
        const found: unknown = Reflect.get(target, method, receiver);
        if (typeof found !== 'function') return found;
        return (...given: unknown[]) => {
          calls.push(`${name}.${String(method)}`);
          return Reflect.apply(found, target, given);
        };
      },
    });
  return new Proxy(direct, {
    get: (target, name, receiver) => wrap(String(name), Reflect.get(target, name, receiver) as object),
  });
}

const workers = () => story.fixture.partnerHiring.operator.system.status();
const sent = () => story.fixture.transport.events().length;

it('an idle worker makes no call for 50 minutes and few in an hour, and still counts as alive', async () => {
  await startIdle();
  await passSlowly(50 * MINUTE_MS);
  expect(calls).toEqual([]);
  // It reports when it wakes, and until then its sleep is announced.
  expect(story.fixture.partnerHiring.worker.state()).toBe('running');
  await passSlowly(10 * MINUTE_MS);
  expect(calls.length).toBeGreaterThan(0);
  expect(calls.length).toBeLessThanOrEqual(12);
  await passSlowly(50 * MINUTE_MS);
  const status = await workers();
  expect(status.workers).toMatchObject([{ isAlive: true }]);
  const [worker] = status.workers;
  const sleepsUntil = worker?.sleepsUntil ?? Number.NaN;
  expect(isWorkerAlive({ lastSeenAt: 0, sleepsUntil }, sleepsUntil + 90_000)).toBe(true);
  expect(isWorkerAlive({ lastSeenAt: 0, sleepsUntil }, sleepsUntil + 90_001)).toBe(false);
});

it('a retry that is due in a minute is sent on time by a worker that sleeps until then', async () => {
  await startIdle();
  story.fixture.transport.answerWith(() => answered(500));
  await story.fixture.operator.jobs.close({ id: story.jobId });
  await passSlowly(2 * SECOND_MS);
  const page = await story.fixture.operator.deliveries.list({ keyId: story.partner.keyId, limit: 1 });
  const before = sent();
  const dueAt = page.items[0]?.dueAt ?? Number.NaN;
  story.fixture.transport.answerWith(() => answered(200));
  await passSlowly(dueAt - clock.now() - 1);
  expect(sent()).toBe(before);
  expect(calls.filter((name) => name === 'endpoints.lease').length).toBeLessThan(10);
  await clock.advance(1);
  expect(sent()).toBe(before + 1);
});

it('a command of the same process wakes the worker at once', async () => {
  await startIdle();
  const before = sent();
  await story.fixture.operator.jobs.close({ id: story.jobId });
  await clock.advance(0);
  expect(sent()).toBe(before + 1);
});

it('a submission with a résumé wakes the worker at once', async () => {
  await startIdle();
  await story.partner.submit({ ...submission(story.jobId), resumeUrl: 'https://files.example.org/cv.pdf' });
  await clock.advance(0);
  expect(calls).toContain('resumeFiles.claim');
});

it('work of a transaction of the host is found after at most twice the time of the transaction', async () => {
  await startIdle();
  const host = await database.host();
  const before = sent();
  await host.run('begin');
  await story.fixture.operator.within(host.tx).jobs.close({ id: story.jobId });
  if (database.location.kind === 'postgres') await passSlowly(5 * MINUTE_MS);
  await host.run('commit');
  await host.close();
  await passSlowly(5 * MINUTE_MS + SECOND_MS);
  expect(sent()).toBe(before + 1);
});

it('work of another process is found at the next wake-up', async () => {
  await startIdle();
  const other = await createFixture({ storage: await database.open(clock) }, {}, clock);
  const before = sent();
  await other.operator.jobs.close({ id: story.jobId });
  await passSlowly(30 * MINUTE_MS);
  expect(sent()).toBe(before);
  await passSlowly(30 * MINUTE_MS);
  expect(sent()).toBe(before + 1);
  await other.close();
});

it('without a listener and without `idlePollMs`, a worker polls every second', async () => {
  await startIdle({ worker: {} });
  await passSlowly(10 * SECOND_MS);
  expect(calls.filter((name) => name === 'endpoints.lease')).toHaveLength(10);
});

it('an `idlePollMs` of more than twelve hours is refused', async () => {
  await expect(startIdle({ worker: { idlePollMs: 12 * HOUR_MS + 1 } })).rejects.toThrow(/at most 12 hours/);
  await startIdle({ worker: { idlePollMs: null } });
});
