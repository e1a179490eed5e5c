/** The client's calls to `/webhook-endpoint`, which need rights of the host. */
import type { PartnerApiError, WebhookDelivery } from '@partner-hiring/client';
import { SELF_SERVICE_PRESET } from '@partner-hiring/core';
import { all } from '@partner-hiring/test-support/client/scripted-client';
import { WAREHOUSE_JOB } from '@partner-hiring/test-support/partner';
import { answered } from '@partner-hiring/test-support/transport';
import { verifyWebhook } from '@partner-hiring/webhook-verifier';
import { afterEach, expect, it } from 'vitest';
import { type ClientStage, openClientStage } from './stage.js';

const URL = 'https://ats.example/webhooks';
const MINUTE_MS = 60_000;

let stage: ClientStage;
afterEach(() => stage.close());

async function openOwner() {
  stage = await openClientStage({ selfService: { ...SELF_SERVICE_PRESET, url: true, rotateSecret: true } });
  const { fixture } = stage;
  const { companyId } = await stage.employer();
  const client = stage.client();
  return {
    own: client.webhookEndpoint,
    client,
    publish: () => fixture.operator.jobs.publish({ companyId, ...WAREHOUSE_JOB }),
    drain: () => fixture.partnerHiring.worker.drain(),
    lastSent: () => fixture.transport.attempts.at(-1) ?? { headers: {}, body: '', url: '' },
  };
}

function codeOf(error: unknown): readonly string[] {
  const { code, fieldErrors } = error as PartnerApiError;
  return [code, ...fieldErrors.map((one) => `${one.field}: ${one.code}`)];
}

it('sets, shows, tests, pauses, resumes and rotates the endpoint', async () => {
  const { own, lastSent } = await openOwner();
  const created = await own.setUrl(URL);
  expect(created).toMatchObject({ url: URL, signingSecret: expect.stringMatching(/^whsec_/) });
  expect(await own.setUrl(URL)).not.toHaveProperty('signingSecret');
  expect(await own.get()).toMatchObject({ url: URL, state: 'active', lastFailure: null });
  stage.fixture.transport.answerWith(() => answered(503));
  expect(await own.test()).toMatchObject({ delivered: false, failure: { kind: 'status', status: 503 } });
  stage.fixture.transport.answerWith(() => answered(200));
  expect(await own.pause()).toMatchObject({ state: 'paused', pausedReason: 'partner' });
  expect(await own.resume({ retryNow: true })).toMatchObject({ state: 'active', pausedReason: null });
  const { signingSecret, oldSecretsExpireAt } = await own.rotateSecret({ overlapSeconds: 60 });
  expect(Date.parse(oldSecretsExpireAt)).toBe(stage.fixture.clock.now() + MINUTE_MS);
  expect((await own.test()).delivered).toBe(true);
  const now = stage.fixture.clock.now();
  expect((await verifyWebhook({ ...lastSent(), secret: signingSecret, now })).ok).toBe(true);
});

it('walks the pages of deliveries, and resends events', async () => {
  const { own, publish, drain } = await openOwner();
  await own.setUrl(URL);
  for (let count = 0; count < 5; count += 1) await publish();
  await drain();
  const pages = await all(own.deliveries({ limit: 2 }).pages());
  expect(pages.map(({ rows }) => rows.length)).toEqual([2, 2, 1]);
  const listed: readonly WebhookDelivery[] = pages.flatMap(({ rows }) => rows);
  expect(new Set(listed.map(({ eventId }) => eventId)).size).toBe(5);
  expect(await stage.during(all(own.deliveries({ state: 'dead' })))).toEqual([]);

  const [{ eventId } = { eventId: '' }] = listed;
  expect(await own.resend(eventId)).toEqual({ eventId, state: 'pending' });
  expect((await all(own.deliveries({ state: 'pending' }))).map((row) => row.eventId)).toEqual([eventId]);
  const unknown = await own.resend('evt_none').catch((error) => error);
  expect(codeOf(unknown)).toContain('eventId: unknown_event');
  const since = new Date(stage.fixture.clock.now() - MINUTE_MS);
  expect(await own.resendSince(since)).toEqual({ since: since.toISOString(), state: 'running' });
  expect(codeOf(await own.resendSince(since).catch((error) => error))).toEqual([
    'VALIDATION_ERROR',
    ': already_running',
  ]);
});

it('throws what the service refuses, with the field', async () => {
  const { own } = await openOwner();
  stage.fixture.transport.answerWith(() => ({ kind: 'failed', failure: 'timed_out', message: '' }));
  const refused = [
    own.get(),
    own.setUrl(URL),
    own.setUrl('http://ats.example'),
    own.rotateSecret({ overlapSeconds: -1 }),
    own.resendSince('yesterday'),
    all(own.deliveries({ cursor: 'forged' })),
  ];
  const codes = await Promise.all(refused.map((call) => (call as Promise<unknown>).catch(codeOf)));
  expect(codes.map((code) => (code as readonly string[]).at(-1))).toEqual([
    ': no_endpoint',
    'url: endpoint_timeout',
    'url: invalid_format',
    'overlapSeconds: invalid_value',
    'since: invalid_format',
    'cursor: invalid_cursor',
  ]);
});

it('waits for the rate limit that all routes share', async () => {
  const { own, client } = await openOwner();
  await own.setUrl(URL);
  const from = stage.fixture.clock.now();
  const calls = Array.from({ length: 11 }, (_, index) => (index % 2 === 0 ? own.get() : own.pause()));
  await client.events.list().pages()[Symbol.asyncIterator]().next();
  await stage.during(Promise.all(calls));
  expect(stage.fixture.clock.now()).toBeGreaterThan(from);
  expect(stage.exchanges.filter(({ answered: status }) => status === 429)).toEqual([]);
});

it('fails with NOT_FOUND without the right of the host', async () => {
  stage = await openClientStage({ selfService: { endpoint: true } });
  const own = stage.client().webhookEndpoint;
  for (const call of [own.setUrl(URL), own.test(), own.rotateSecret()])
    expect(codeOf(await call.catch((error) => error))).toEqual(['NOT_FOUND']);
});
