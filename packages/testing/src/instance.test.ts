import { existsSync } from 'node:fs';
import { createPartnerHiring, type OperatorErrorCode } from '@partner-hiring/core';
import { perTest } from '@partner-hiring/test-support/per-test';
import { createTestInstance } from '@partner-hiring/testing';
import { temporarySqlite } from '@partner-hiring/testing/sqlite';
import { verifyWebhook } from '@partner-hiring/webhook-verifier';
import { describe, expect, test, vi } from 'vitest';

const MINUTE_MS = 60_000;

function refusal(code: OperatorErrorCode, message: string) {
  return expect.objectContaining({ code, message: expect.stringContaining(message) });
}

const instance = perTest(
  () => createTestInstance({ database: temporarySqlite() }),
  ({ close }) => close(),
);

describe('createTestInstance', () => {
  test.each([
    ['no database', {}, 'needs a `database`: temporarySqlite()'],
    ['nothing', undefined, 'needs a `database`: temporarySqlite()'],
    ['an option of createPartnerHiring', { sandbox: true }, 'has no option `sandbox`. Its options are'],
  ])('refuses %s', async (_, options, message) => {
    await expect(createTestInstance(options as never)).rejects.toEqual(refusal('MISCONFIGURED', message));
  });

  test('removes the database if the instance cannot be created', async () => {
    const database = temporarySqlite();
    const create = () => {
      expect(existsSync(database.file)).toBe(true);
      throw new Error('The host is broken.');
    };
    await expect(createTestInstance({ database, create })).rejects.toThrow('The host is broken.');
    expect(existsSync(database.file)).toBe(false);
  });

  test('uses the options of the host', async () => {
    const database = temporarySqlite();
    const another = await createTestInstance({
      database,
      create: (options) =>
        createPartnerHiring({ ...options, basePath: '/partners', decideFromReceived: true }),
    });
    const { application, key } = await another.createApplication();
    await another.operator.applications.decide({ id: application.id, decision: 'rejected' });
    expect(await key.get(`/applications/${application.id}`)).toMatchObject({ json: { status: 'rejected' } });
    await another.close();
  });

  test('closes only once', async () => {
    await instance.close();
    await instance.close();
  });
});

describe('builders', () => {
  test('a key without an endpoint gets no webhooks', async () => {
    const key = await instance.createKey({ endpointUrl: null });
    await instance.createJob({ keys: [key] });
    await instance.drain();
    expect([key.endpointUrl, key.signingSecret, instance.transport.attempts.length]).toEqual([null, null, 0]);
  });

  test('a job for sandbox keys belongs to a sandbox company', async () => {
    const key = await instance.createKey({ environment: 'sandbox' });
    const job = await instance.createJob({ keys: [key] });
    const { json } = await key.get('/jobs');
    expect(json.data).toMatchObject([{ id: job.id, title: 'Warehouse associate' }]);
  });

  test('several keys see one job, and not the application of the other', async () => {
    const { id: partnerId } = await instance.createPartner({ name: 'Bistro ATS' });
    const [one, other] = [await instance.createKey({ partnerId }), await instance.createKey()];
    const job = await instance.createJob({ keys: [one, other], companyId: await companyId() });
    const { application } = await instance.createApplication({ key: one, job });
    expect(one.partnerId).toBe(partnerId);
    expect((await one.get(`/applications/${application.id}`)).status).toBe(200);
    expect((await other.get(`/applications/${application.id}`)).status).toBe(404);
  });

  test('a refused application shows the reply of the API', async () => {
    await expect(instance.createApplication({ candidate: { email: 'nobody' } })).rejects.toThrow(
      /did not accept the application: 422 .*candidate\.email/,
    );
  });

  test('fields of the submission reach the host', async () => {
    const { application } = await instance.createApplication({ fields: { sourceApplicationId: 'ats-1' } });
    expect(application).toMatchObject({ sourceApplicationId: 'ats-1', candidate: { lastName: 'Lovelace' } });
  });

  async function companyId() {
    return (await instance.operator.companies.create({ name: 'Bistro', environment: 'production' })).id;
  }
});

describe('waitFor', () => {
  test('returns each event once, in order', async () => {
    const key = await instance.createKey();
    const [first, second] = [
      await instance.createJob({ keys: [key] }),
      await instance.createJob({ keys: [key] }),
    ];
    const opened = [await key.waitFor('job.opened'), await key.waitFor('job.opened')];
    expect(opened.map(({ data }) => data.jobId)).toEqual([first.id, second.id]);
    await expect(key.waitFor('job.opened', { timeoutMs: 0 })).rejects.toThrow(
      `No further job.opened event was sent to ${key.endpointUrl} within 0 ms. Attempts so far: ` +
        `job.opened to ${key.endpointUrl}, job.opened to ${key.endpointUrl}. A failed delivery is retried`,
    );
  });

  test('does not return a repeated attempt as another event', async () => {
    instance.transport.answerWith(500);
    const key = await instance.createKey();
    await instance.createJob({ keys: [key] });
    await key.waitFor('job.opened');
    await instance.advance(2 * MINUTE_MS);
    expect(instance.transport.events().map(({ type }) => type)).toEqual(['job.opened', 'job.opened']);
    await expect(key.waitFor('job.opened', { timeoutMs: 0 })).rejects.toThrow('No further job.opened');
  });

  test('selects by the key, and by a condition', async () => {
    const [one, other] = [await instance.createKey(), await instance.createKey()];
    const [job, wanted] = [
      await instance.createJob({ keys: [one, other] }),
      await instance.createJob({ keys: [one] }),
    ];
    expect((await other.waitFor('job.opened')).data.jobId).toBe(job.id);
    const { data } = await instance.waitFor('job.opened', {
      where: (event) => event.data.jobId === wanted.id,
    });
    expect(data.jobId).toBe(wanted.id);
    await expect(instance.waitFor('job.opened', { where: () => false, timeoutMs: 0 })).rejects.toThrow(
      'No further job.opened event that `where` accepts was sent within 0 ms.',
    );
  });

  test('waits for an event that is committed later', async () => {
    const key = await instance.createKey();
    const waiting = key.waitFor('job.opened');
    await new Promise((resolve) => setTimeout(resolve, 20));
    const job = await instance.createJob({ keys: [key] });
    expect((await waiting).data.jobId).toBe(job.id);
  });

  test('refuses a timeout that is not a number of milliseconds', async () => {
    await expect(instance.waitFor('job.opened', { timeoutMs: Number.NaN })).rejects.toEqual(
      refusal('INVALID_INPUT', '`timeoutMs` must be a whole number of milliseconds of at least 0.'),
    );
  });
});

describe('time', () => {
  test('stands still, and passes on request', async () => {
    const before = instance.clock.now();
    await instance.createApplication();
    await instance.drain();
    expect(instance.clock.now()).toBe(before);
    await instance.advance(90_000);
    expect(instance.clock.now()).toBe(before + 90_000);
    expect((await instance.createPartner()).createdAt).toBe(before + 90_000);
  });

  test('an endpoint that fails for days is paused, with an alert', async () => {
    instance.transport.answerWith(500);
    const key = await instance.createKey();
    await instance.createJob({ keys: [key] });
    await instance.advance(4 * 24 * 60 * MINUTE_MS);
    expect(instance.alerts).toContainEqual(
      expect.objectContaining({ kind: 'endpoint_paused', keyId: key.keyId }),
    );
  });

  test.each([
    ['the default step', undefined, 36_000],
    ['a step of a second', 1_000, 1_000],
  ])('with %s, an attempt is late by one step at most', async (_, stepMs, latestMs) => {
    instance.transport.answerWith(500);
    const key = await instance.createKey();
    await instance.createJob({ keys: [key] });
    await key.waitFor('job.opened');
    const due = (await instance.operator.deliveries.list({ keyId: key.keyId, state: 'pending' })).items;
    const dueAt = due[0]?.dueAt ?? 0;
    const sentAt = new Promise<number>((resolve) => {
      instance.transport.answerWith(() => {
        resolve(instance.clock.now());
        return 200;
      });
    });
    await instance.advance(60 * MINUTE_MS, stepMs === undefined ? {} : { stepMs });
    expect(await sentAt).toBeGreaterThanOrEqual(dueAt);
    expect(await sentAt).toBeLessThanOrEqual(dueAt + latestMs);
  });

  test.each([
    [-1, {}, '`ms` must be a whole number of milliseconds of at least 0.'],
    [0.5, {}, '`ms` must be'],
    [10, { stepMs: 0 }, '`stepMs` must be a whole number of milliseconds of at least 1.'],
  ])('advance refuses %s with %j', async (ms, options, message) => {
    await expect(instance.advance(ms, options)).rejects.toEqual(refusal('INVALID_INPUT', message));
  });
});

test('webhooks are signed with the secret of the key', async () => {
  const key = await instance.createKey();
  await instance.createJob({ keys: [key] });
  await key.waitFor('job.opened');
  const [webhook] = instance.transport.attempts;
  if (webhook === undefined || key.signingSecret === null) throw new Error('Nothing was sent.');
  vi.setSystemTime(instance.clock.now());
  const { ok } = await verifyWebhook({ ...webhook, secret: key.signingSecret });
  vi.useRealTimers();
  expect(ok).toBe(true);
});
