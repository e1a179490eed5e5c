/** A copy is not production: which process sends on which database, and what a claim and a new name change. */
import { createFakeClock } from '@partner-hiring/test-support/clock';
import { createFixture, type Fixture } from '@partner-hiring/test-support/fixture';
import {
  createEmployer,
  createPartner,
  submission,
  WAREHOUSE_JOB,
} from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import { createTestDatabase } from '@partner-hiring/test-support/storages';
import { createRecordingLogger } from '@partner-hiring/test-support/telemetry';
import { describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../packages/core/src/domain/time.js';
import { createHealth } from '../../../packages/core/src/process/create-health.js';

interface Process extends Fixture {
  /** What this process sent outside, by kind. */
  sent(): { readonly posts: number; readonly downloads: number; readonly messages: number };
  readonly lines: ReturnType<typeof createRecordingLogger>['lines'];
}

/** A database, and the processes that open it. */
async function openPlace() {
  const database = await createTestDatabase();
  const clock = createFakeClock();
  const opened: Fixture[] = [];
  async function open(deployment?: string): Promise<Process> {
    let downloads = 0;
    const logger = createRecordingLogger();
    const storage = await database.open(clock);
    const options = {
      storage,
      deployment,
      logger,
      resumeSource: {
        fetch: async () => {
          downloads += 1;
          return { kind: 'failed', reason: 'unreachable', retryable: true } as never;
        },
        close: async () => {},
      },
    };
    const fixture = await createFixture(options, {}, clock);
    opened.push(fixture);
    const messagesOf = () => fixture.alerts.filter((alert) => 'message' in alert).length;
    const sent = () => ({ posts: fixture.transport.attempts.length, downloads, messages: messagesOf() });
    return { ...fixture, sent, lines: logger.lines };
  }
  async function close() {
    for (const fixture of opened) await fixture.close();
    await database.remove();
  }
  return { database, clock, open, close };
}

const place = perTest(openPlace, ({ close }) => close());

const NOTHING = { posts: 0, downloads: 0, messages: 0 };

/** What production leaves behind: an event to send, a résumé to download, and an alert with a message. */
async function leaveWork(process: Process) {
  const { operator } = process;
  const partner = await createPartner(process);
  const { keyId } = partner;
  const { items: partners } = await operator.partners.list();
  const contact = { name: 'Ada', email: 'ada@ats.example' };
  for (const { id } of partners) await operator.partners.update({ id, contact });
  const { jobId } = await createEmployer(process, partner);
  const reply = await partner.submit(submission(jobId, { resumeUrl: 'https://cv.example.org/ada.pdf' }));
  expect(reply.status).toBe(201);
  return { keyId };
}

/** The database is not where it was named: a dump that was restored elsewhere. */
async function movePlace(): Promise<void> {
  const host = await place.database.host();
  await host.rows("update ph_deployment set place = 'elsewhere', inode = null returning id");
  await host.close();
}

async function run(process: Process): Promise<void> {
  await process.pass(2 * MINUTE_MS, 10_000);
}

describe('a process on a database', () => {
  it.each([
    // What the database is, the name of the process that made it, and of the one that runs on it, and whether this sends.
    ['the same one', 'production', 'production', true],
    ['the same one', undefined, undefined, true],
    ['a physical copy', 'production', 'production', true],
    ['a copy', 'production', 'staging', false],
    ['a copy', 'production', undefined, false],
    ['a copy', undefined, 'staging', false],
    ['an old backup without a name', undefined, 'production', false],
    ['a dump restored elsewhere', 'production', 'production', false],
    ['a dump restored elsewhere', 'production', 'staging', false],
    ['a dump restored elsewhere', 'production', undefined, false],
  ])('on %s, made by %s, as %s, sends is %s', async (what, made, now, isSending) => {
    const maker = await place.open(made);
    const { keyId } = await leaveWork(maker);
    expect(maker.sent()).toEqual(NOTHING);
    if (what === 'a dump restored elsewhere') await movePlace();
    const process = await place.open(now);
    await run(process);
    const { posts, downloads } = process.sent();
    expect([posts > 0, downloads > 0]).toEqual([isSending, isSending]);
    const test = process.operator.endpoints.test({ keyId });
    if (isSending) await test;
    else await expect(test).rejects.toMatchObject({ code: 'OTHER_DEPLOYMENT' });
    const { advice } = (await process.operator.system.status()).deployment;
    expect(advice === null).toBe(isSending);
    expect(process.lines.some(({ message }) => message === advice)).toBe(!isSending);
    expect(await createHealth(process.partnerHiring).ready()).toMatchObject({ status: 200, silence: advice });
  });

  it('gets alerts of a copy marked with both names, and sends no message', async () => {
    const maker = await place.open('production');
    const { keyId } = await leaveWork(maker);
    maker.transport.answerWith(410);
    await run(maker);
    expect(maker.sent().messages).toBe(1);
    await maker.operator.endpoints.resume({ keyId });
    await maker.operator.keys.rotate({ id: keyId });
    const copy = await place.open('staging');
    await copy.operator.endpoints.pause({ keyId });
    await run(copy);
    expect(copy.sent()).toEqual(NOTHING);
    for (const alert of copy.alerts) {
      expect(alert.deployment).toEqual({ database: 'production', process: 'staging' });
    }
  });
});

describe('the name of a database', () => {
  it('is that of the process that adds the first endpoint', async () => {
    const first = await place.open('production');
    expect((await first.operator.system.status()).deployment).toMatchObject({ database: null, advice: null });
    await createPartner(first);
    expect((await first.operator.system.status()).deployment).toMatchObject({
      database: 'production',
      isSending: true,
    });
    const second = await place.open('staging');
    await createPartner(second);
    expect((await second.operator.system.status()).deployment).toMatchObject({
      database: 'production',
      isSending: false,
    });
  });

  it('is that of the worker that runs on an empty database', async () => {
    const process = await place.open('production');
    await run(process);
    expect((await process.operator.system.status()).deployment).toMatchObject({ database: 'production' });
  });

  it('and its place change with `rename`, and nothing else', async () => {
    const process = await place.open('production');
    await leaveWork(process);
    await movePlace();
    await run(process);
    expect(process.sent()).toEqual(NOTHING);
    expect(await process.operator.deployment.rename({ name: 'production' })).toEqual({ changed: true });
    expect(await process.operator.deployment.rename({ name: 'production' })).toEqual({ changed: false });
    await run(process);
    expect(process.sent()).toMatchObject({ posts: 1 });
  });
});

describe('a claim of a copy', () => {
  async function makeCopy(): Promise<{ copy: Process; keyId: `key_${string}` }> {
    const maker = await place.open('production');
    const { keyId } = await leaveWork(maker);
    await place.clock.advance(1_000);
    return { copy: await place.open('staging'), keyId };
  }

  it('pauses every endpoint and drops what waited, and then the process sends new events', async () => {
    const { copy, keyId } = await makeCopy();
    const { operator } = copy;
    const claim = { name: 'staging', from: 'production' };
    const counts = { endpoints: 1, deliveries: 1, downloads: 1, keySecrets: 1 };
    expect(await operator.deployment.claim({ ...claim, dryRun: true })).toMatchObject({
      ...counts,
      changed: false,
    });
    expect(await operator.deployment.claim(claim)).toMatchObject({
      ...counts,
      changed: true,
      operation: null,
    });
    expect(await operator.endpoints.find({ keyId })).toMatchObject({ state: { reason: 'copied' } });
    await operator.endpoints.resume({ keyId });
    await run(copy);
    expect(copy.sent()).toEqual(NOTHING);
    const { items: companies } = await operator.companies.list();
    await operator.jobs.publish({ companyId: companies[0]?.id ?? 'co_none', ...WAREHOUSE_JOB });
    await run(copy);
    expect(copy.sent()).toMatchObject({ posts: 1 });
    const { items } = await operator.audit.list({ act: 'deployment.claim' });
    expect(items).toMatchObject([
      { before: { name: 'production' }, after: { name: 'staging', endpoints: 1 } },
    ]);
  });

  it('revokes all keys and erases all candidates only if asked', async () => {
    const { copy } = await makeCopy();
    const { operator } = copy;
    const claim = { name: 'staging', from: 'production', revokeKeys: true, eraseCandidates: true };
    expect(await operator.deployment.claim(claim)).toMatchObject({ operation: { plan: { kind: 'erase' } } });
    await run(copy);
    const { items } = await operator.applications.list();
    expect(items).toMatchObject([{ erasedAt: expect.any(Number) }]);
    const { items: keys } = await operator.keys.list();
    expect(keys).toMatchObject([{ secrets: [{ revokedAt: expect.any(Number) }] }]);
  });

  it('needs the name that the database has', async () => {
    const { copy } = await makeCopy();
    for (const from of [undefined, 'staging']) {
      const claimed = copy.operator.deployment.claim({ name: 'staging', from });
      await expect(claimed).rejects.toMatchObject({ code: 'OTHER_DEPLOYMENT' });
    }
  });

  it('is refused while a worker of another deployment is alive', async () => {
    const { copy } = await makeCopy();
    const production = await place.open('production');
    production.partnerHiring.worker.start();
    await place.clock.advance(1_000);
    const claim = { name: 'staging', from: 'production' };
    await expect(copy.operator.deployment.claim(claim)).rejects.toMatchObject({ code: 'DEPLOYMENT_IN_USE' });
    await production.partnerHiring.worker.stop();
    expect(await copy.operator.deployment.claim(claim)).toMatchObject({ changed: true });
  });
});

it('logs once an hour that nothing is sent', async () => {
  const maker = await place.open('production');
  await createPartner(maker);
  const copy = await place.open('staging');
  await copy.pass(HOUR_MS + 2 * MINUTE_MS, MINUTE_MS);
  expect(copy.lines.filter(({ level }) => level === 'error')).toHaveLength(2);
});
