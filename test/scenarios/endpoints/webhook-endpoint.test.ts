import { type AttemptOutcome, SELF_SERVICE_PRESET } from '@partner-hiring/core';
import type { Partner, RequestParts } from '@partner-hiring/test-support/partner';
import { createPartner, fieldErrors, outcomeOf, rateOf } from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import { answered, UNREACHABLE } from '@partner-hiring/test-support/transport';
import { verifyWebhook } from '@partner-hiring/webhook-verifier';
import { describe, expect, it } from 'vitest';
import { openDeliveryStage } from '../operator/deliveries-stage.js';

const HOUR_MS = 3_600_000;
const ALL = { ...SELF_SERVICE_PRESET, url: true, rotateSecret: true };
const NEW_URL = 'https://new.example/hooks';

function json(body: unknown): RequestParts {
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}

const stage = perTest(
  () => openDeliveryStage({ selfService: ALL }),
  (opened) => opened.close(),
);

function ask(path: string, body: unknown = {}, partner: Partner = stage.partner) {
  return partner.request('POST', `/webhook-endpoint${path}`, json(body));
}

function putUrl(url: unknown, partner: Partner = stage.partner) {
  return partner.request('PUT', '/webhook-endpoint', json({ url }));
}

async function urlOf({ keyId }: Partner): Promise<string | null> {
  return (await stage.operator.endpoints.find({ keyId }))?.url ?? null;
}

describe('the endpoint of a key', () => {
  it('is shown with its state, and with nothing of the host', async () => {
    const reply = await stage.partner.get('/webhook-endpoint');
    expect([reply.status, reply.json]).toEqual([
      200,
      {
        url: 'https://ats.example.org/webhooks',
        state: 'active',
        pausedReason: null,
        pausedAt: null,
        failingSince: null,
        consecutiveFailures: 0,
        lastSuccessAt: expect.any(String),
        lastFailure: null,
        createdAt: expect.any(String),
      },
    ]);
    expect(rateOf(reply)[0]).toBe(10);
  });

  it('gets a test event with ids of ten zeros, signed with its secret', async () => {
    const reply = await ask('/test');
    const sent = stage.transport.attempts.at(-1) ?? { headers: {}, body: '', url: '' };
    const { id, data } = stage.transport.events().at(-1) ?? {
      id: '',
      data: {} as Readonly<Record<string, unknown>>,
    };
    expect([id, data.jobId, data.companyId]).toEqual([
      expect.stringMatching(/^evt_0000000000/),
      expect.stringMatching(/^job_0000000000/),
      expect.stringMatching(/^co_0000000000/),
    ]);
    expect(reply.json).toEqual({ eventId: id, delivered: true, failure: null, latencyMs: 0 });
    const secret = stage.partner.signingSecret ?? '';
    expect((await verifyWebhook({ ...sent, secret, now: stage.clock.now() })).ok).toBe(true);
  });

  it('is paused and resumed by its partner, as the audit says', async () => {
    const { operator, keyId } = stage;
    expect((await ask('/pause')).json).toMatchObject({ state: 'paused', pausedReason: 'partner' });
    await stage.record(1);
    await stage.drain();
    expect(stage.sent()).toEqual([]);
    expect((await ask('/resume', { retryNow: true })).json).toMatchObject({ state: 'active' });
    await stage.drain();
    expect(stage.sent()).toHaveLength(1);
    const { items } = await operator.audit.list({ object: { kind: 'endpoint', id: keyId } });
    const actor = { id: expect.stringMatching(/^partner:ptn_/), name: expect.any(String), reason: null };
    expect(items.slice(0, 2)).toMatchObject([
      { act: expect.stringMatching(/resume$/), actor },
      { act: expect.stringMatching(/pause$/), actor },
    ]);
  });

  it('is not resumed by its partner after the operator paused it', async () => {
    await stage.operator.endpoints.pause({ keyId: stage.keyId });
    expect(fieldErrors(await ask('/resume'))).toEqual([': paused_by_operator']);
    expect((await stage.operator.endpoints.find({ keyId: stage.keyId }))?.state.kind).toBe('paused');
  });

  it('gets a new signing secret, and the host an alert with a message for the contact', async () => {
    await stage.setContact();
    const reply = await ask('/rotate-secret', { overlapSeconds: 60 });
    const secret = String(reply.json.signingSecret);
    await ask('/test');
    const sent = stage.transport.attempts.at(-1) ?? { headers: {}, body: '' };
    expect((await verifyWebhook({ ...sent, secret, now: stage.clock.now() })).ok).toBe(true);
    await stage.drain();
    // The old secret ends soon too, of which the contact is told at once.
    expect(stage.alerts).toHaveLength(2);
    expect(stage.alerts.filter(({ kind }) => kind !== 'signing_secret_ending')).toMatchObject([
      {
        kind: 'signing_secret_rotated',
        keyId: stage.keyId,
        origin: 'https://ats.example.org',
        message: {
          to: { name: 'Robin Field', address: 'robin@ats.example' },
          subject: expect.stringContaining('signing secret'),
          text: expect.stringContaining('stolen'),
        },
      },
    ]);
    expect(JSON.stringify(stage.alerts)).not.toContain(secret);
  });

  it('refuses bodies like the four routes, and counts all in a bucket of ten', async () => {
    const { partner } = stage;
    const text = (body: string, type = 'application/json') =>
      partner.request('POST', '/webhook-endpoint/resume', { body, headers: { 'content-type': type } });
    const replies = [
      await text('{}', 'text/plain'),
      await text('x'.repeat(17_000)),
      await text('{'),
      await text('[]'),
      await ask('/resume', { retryNow: 'yes' }),
      await ask('/rotate-secret', { overlapSeconds: 604_801 }),
      await ask('/resend', { since: 'yesterday' }),
      await putUrl(7),
      await partner.get('/webhook-endpoint/deliveries?state=lost&limit=0'),
      await ask('/deliveries/evt_none/resend'),
      await ask('/pause'),
    ];
    const codes = replies.map((reply) => (reply.status === 422 ? fieldErrors(reply) : outcomeOf(reply)));
    expect(codes).toEqual([
      [415, 'UNSUPPORTED_MEDIA_TYPE'],
      [413, 'PAYLOAD_TOO_LARGE'],
      [': invalid_json'],
      [': invalid_type'],
      ['retryNow: invalid_type'],
      ['overlapSeconds: invalid_value'],
      ['since: invalid_format'],
      ['url: invalid_type'],
      ['state: invalid_value', 'limit: invalid_value'],
      ['eventId: unknown_event'],
      [429, 'RATE_LIMITED'],
    ]);
    expect((await partner.get('/jobs')).status).toBe(200);
  });

  it('ignores unknown fields of bodies, whatever they hold', async () => {
    const headers = { 'content-type': 'application/json' };
    const text = (body: string) =>
      stage.partner.request('POST', '/webhook-endpoint/resume', { body, headers });
    expect((await text('{"extra":[1e400,"\\u0000",9007199254740993],"since":1e400}')).status).toBe(200);
    expect(fieldErrors(await text('{"retryNow":1e400}'))).toEqual(['retryNow: invalid_value']);
  });

  it('does not exist for a key without one', async () => {
    const other = await createPartner(stage, { endpoint: false });
    const replies = [
      await other.get('/webhook-endpoint'),
      await ask('/test', {}, other),
      await ask('/pause', {}, other),
      await ask('/resume', {}, other),
      await ask('/rotate-secret', {}, other),
      await ask('/resend', { since: '2026-01-01T00:00:00Z' }, other),
    ];
    expect(replies.map(fieldErrors)).toEqual(replies.map(() => [': no_endpoint']));
  });
});

const BAD_URLS = [
  'http://new.example/',
  'https://user:pass@new.example/',
  'new.example',
  'ftp://new.example',
  '',
];

const FAILURES: readonly (readonly [string, AttemptOutcome])[] = [
  ['status', { kind: 'answered', status: 500, excerpt: 'secret of 10.0.0.7' }],
  ['status', answered(302)],
  ['timeout', { kind: 'failed', failure: 'timed_out', message: 'no answer from 10.0.0.7' }],
  ['tls', { kind: 'failed', failure: 'tls_failed', message: 'CN=db.internal' }],
  ['refused', UNREACHABLE],
  ['refused', { kind: 'failed', failure: 'address_refused', message: '10.0.0.7 is not public' }],
  ['refused', { kind: 'failed', failure: 'name_not_resolved', message: 'db.internal' }],
  ['refused', { kind: 'failed', failure: 'protocol_error', message: 'SSH-2.0' }],
];

describe('a new URL', () => {
  it('is set after a signed test event got 2xx, with an alert and an act of the partner', async () => {
    const { operator, keyId, partner } = stage;
    await stage.setContact();
    const reply = await putUrl(NEW_URL);
    expect([reply.status, reply.json.url, reply.json.signingSecret]).toEqual([200, NEW_URL, undefined]);
    const sent = stage.transport.attempts.at(-1) ?? { headers: {}, body: '', url: '' };
    expect(sent.url).toBe(NEW_URL);
    expect(stage.transport.events().at(-1)?.id).toMatch(/^evt_0000000000/);
    const secret = partner.signingSecret ?? '';
    expect((await verifyWebhook({ ...sent, secret, now: stage.clock.now() })).ok).toBe(true);
    await stage.drain();
    expect(stage.alerts).toMatchObject([
      {
        kind: 'endpoint_url_changed',
        origin: 'https://new.example',
        oldOrigin: 'https://ats.example.org',
        message: { text: expect.stringContaining('https://ats.example.org') },
      },
    ]);
    const { items } = await operator.audit.list({ object: { kind: 'endpoint', id: keyId }, limit: 1 });
    expect(items).toMatchObject([
      { act: expect.stringMatching(/setUrl$/), actor: { id: expect.stringMatching(/^partner:/) } },
    ]);
  });

  it('creates an endpoint whose secret is in the reply', async () => {
    const other = await createPartner(stage, { endpoint: false });
    const reply = await putUrl(NEW_URL, other);
    expect(reply.status).toBe(201);
    const secret = String(reply.json.signingSecret);
    const sent = stage.transport.attempts.at(-1) ?? { headers: {}, body: '' };
    expect((await verifyWebhook({ ...sent, secret, now: stage.clock.now() })).ok).toBe(true);
    const again = await putUrl(NEW_URL, other);
    expect([again.status, again.json.signingSecret]).toEqual([200, undefined]);
  });

  it('that fails the test gets 422 with the kind of failure, and nothing of the answer', async () => {
    const before = await urlOf(stage.partner);
    for (const [kind, end] of FAILURES) {
      stage.transport.answerWith(() => end);
      const reply = await putUrl('https://db.internal.example/hooks');
      expect(fieldErrors(reply)).toEqual([`url: endpoint_${kind}`]);
      expect(reply.text).not.toMatch(/10\.0|internal|SSH|secret|500|302/);
    }
    expect(await urlOf(stage.partner)).toBe(before);
    await stage.drain();
    expect(stage.alerts).toEqual([]);
  });

  it('that failed does not tell a private address from an unknown name or a closed port', async () => {
    const texts = new Set<string>();
    for (const failure of ['address_refused', 'name_not_resolved', 'connection_failed'] as const) {
      stage.transport.answerWith(() => ({ kind: 'failed', failure, message: failure }));
      texts.add((await putUrl(NEW_URL)).text);
    }
    expect(texts.size).toBe(1);
  });

  it('of a kind that no endpoint may have gets 422, and nothing is sent', async () => {
    const before = stage.transport.attempts.length;
    for (const url of BAD_URLS) expect(fieldErrors(await putUrl(url))).toEqual(['url: invalid_format']);
    expect(stage.transport.attempts).toHaveLength(before);
  });

  it('is not set if the secret was revoked while the URL was being proven', async () => {
    const { operator, keyId, partner } = stage;
    const before = await urlOf(partner);
    stage.transport.answerWith(async () => {
      await operator.keys.revoke({ id: keyId, all: true });
      return answered(200);
    });
    expect(outcomeOf(await putUrl(NEW_URL))).toEqual([401, 'UNAUTHORIZED']);
    expect(await urlOf(partner)).toBe(before);
  });

  it('is undone by the operator for 24 hours, even if it was changed twice', async () => {
    const { operator, keyId, partner } = stage;
    const before = await urlOf(partner);
    await putUrl(NEW_URL);
    await stage.clock.advance(23 * HOUR_MS);
    await putUrl('https://second.example/hooks');
    await stage.clock.advance(23 * HOUR_MS);
    expect(await operator.endpoints.setUrl({ keyId, restore: true })).toMatchObject({
      changed: true,
      endpoint: { url: before },
    });
    expect(await operator.endpoints.setUrl({ keyId, restore: true })).toMatchObject({ changed: false });
    await putUrl(NEW_URL);
    await stage.clock.advance(24 * HOUR_MS);
    expect(await operator.endpoints.setUrl({ keyId, restore: true })).toMatchObject({ changed: false });
  });

  it('of the operator leaves nothing to restore', async () => {
    const { operator, keyId } = stage;
    await putUrl(NEW_URL);
    await operator.endpoints.setUrl({ keyId, url: 'https://agreed.example/hooks' });
    expect(await operator.endpoints.setUrl({ keyId, restore: true })).toMatchObject({ changed: false });
  });
});
