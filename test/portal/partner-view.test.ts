/** What a partner reaches through its view: its own, and of that only what the partner API tells. */
import { type PartnerView, PORTAL_RIGHTS, type PortalRight } from '@partner-hiring/core';
import { createFixture } from '@partner-hiring/test-support/fixture';
import { answered } from '@partner-hiring/test-support/transport';
import { afterAll, expect, it } from 'vitest';
import { openPlatform, PERSONAL, type Platform } from '../console/platform.js';

const platform = await openPlatform();
afterAll(() => platform.close());

const viewOf = (partnerId: Platform['acme']['partnerId'], rights: readonly PortalRight[] = PORTAL_RIGHTS) =>
  platform.fixture.operator.forPartner({ partnerId, name: 'Dana', rights });

async function newestEvent(keyId: Platform['acme']['keyId']) {
  const { items } = await platform.fixture.operator.deliveries.list({ keyId });
  return items[0]?.eventId ?? 'evt_none';
}

async function newestRequest(keyId: Platform['acme']['keyId']) {
  const { items } = await platform.fixture.operator.requests.list({ keyId });
  return items[0]?.requestId ?? 'none';
}

it('shows the partner its keys, endpoint, deliveries, requests and applications, field by field', async () => {
  const { acme, ada } = platform;
  const own = viewOf(acme.partnerId);
  expect(await own.partner()).toEqual({ id: acme.partnerId, name: 'Acme ATS' });
  const [key, ...others] = await own.keys();
  expect([key?.id, key?.environment, others]).toEqual([acme.keyId, 'production', []]);
  const endpoint = await own.endpoint(acme.keyId);
  expect(Object.keys(endpoint ?? {}).toSorted()).toEqual([
    'consecutiveFailures',
    'createdAt',
    'failingSince',
    'gap',
    'keyId',
    'lastFailure',
    'lastFailureAt',
    'lastSuccessAt',
    'pausedAt',
    'pausedReason',
    'resumedAt',
    'signingSecretId',
    'signingSecrets',
    'state',
    'url',
  ]);
  const eventId = await newestEvent(acme.keyId);
  const listed = await own.deliveries(acme.keyId);
  expect(listed?.items[0]).toMatchObject({ eventId, keyId: acme.keyId, state: 'delivered' });
  const delivery = await own.delivery(eventId);
  expect(JSON.parse(delivery?.body ?? '{}').id).toBe(eventId);
  const application = await own.application(ada);
  expect(application).toEqual({
    id: ada,
    keyId: acme.keyId,
    jobId: acme.jobId,
    sourceApplicationId: 'ats-4711',
    status: 'accepted',
    currentStage: 'Hired',
    submittedAt: expect.any(Number),
    lastStatusChangeAt: expect.any(Number),
  });
  expect(await own.companies(acme.keyId)).toEqual({
    items: [
      {
        companyId: acme.companyId,
        companyName: 'Initech',
        grantedAt: expect.any(Number),
        bootstrapUntil: null,
      },
    ],
    nextCursor: null,
  });
  const counts = { due: 0, scheduled: 0, paused: 0, dead: 0, retries: 0, isExact: true };
  expect(await own.backlog(acme.keyId)).toEqual(counts);
  expect(await own.now()).toBe(platform.fixture.clock.now());
  expect((await own.readiness(acme.keyId))?.items.length).toBeGreaterThan(5);
  const bySource = await own.applications({ keyId: acme.keyId, sourceApplicationId: 'ats-4711' });
  expect(bySource).toEqual({ items: [application], nextCursor: null });
  const all = await own.applications({ keyId: acme.keyId, limit: 1 });
  expect([all?.items.length, all?.nextCursor === null]).toEqual([1, false]);
  const request = await own.request(await newestRequest(acme.keyId));
  expect(request).toMatchObject({ keyId: acme.keyId, status: 201, refusal: null });
});

it('has no personal data, no name of staff, no reason, no company and no answer of a receiver', async () => {
  const { fixture, hooli, grace, acme } = platform;
  const { operator } = fixture;
  const staff = operator.as({ id: 'user_9', name: 'Sybil Staff', reason: 'Private reason' });
  await staff.endpoints.pause({ keyId: acme.keyId });
  for (const [partnerId, keyId] of [
    [acme.partnerId, acme.keyId],
    [hooli.partnerId, hooli.keyId],
  ] as const) {
    const own = viewOf(partnerId);
    const seen = JSON.stringify([
      await own.keys(),
      await own.endpoint(keyId),
      await own.deliveries(keyId),
      await own.delivery(await newestEvent(keyId)),
      await own.requests(),
      await own.applications({ keyId }),
      await own.application(grace),
    ]);
    const hidden = [...PERSONAL, 'Sybil', 'Private reason', 'excerpt', 'candidate', 'answers', 'resume'];
    for (const text of [...hidden, 'companyName', 'jobTitle', 'partnerName']) {
      expect(seen, text).not.toContain(`${text}"`);
    }
    for (const text of [...PERSONAL, 'Sybil', 'Private reason']) expect(seen).not.toContain(text);
  }
  await staff.endpoints.resume({ keyId: acme.keyId });
});

it('explains a refused request in words for the partner', async () => {
  const { fixture, acme } = platform;
  const own = viewOf(acme.partnerId);
  const reply = await fixture.partnerHiring.fetch(
    new Request('https://api.example/api/v1/external/nothing', {
      headers: { authorization: `Bearer ${(await own.rotateKey({ keyId: acme.keyId })).secret}` },
    }),
  );
  const request = await own.request(reply.headers.get('x-request-id') ?? '');
  expect(request).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  expect(request?.refusal).toEqual({
    rule: 'The API has no such path.',
    fix: 'Correct the path. It has no trailing slash, and case matters.',
  });
});

type Ids = {
  readonly keyId: Platform['acme']['keyId'];
  readonly eventId: Awaited<ReturnType<typeof newestEvent>>;
  readonly requestId: string;
  readonly id: Platform['ada'];
};

const READS: readonly (readonly [PortalRight, (own: PartnerView, ids: Ids) => Promise<unknown>])[] = [
  ['keys', (own, { keyId }) => own.key(keyId)],
  ['keys', (own, { keyId }) => own.companies(keyId)],
  ['endpoint', (own, { keyId }) => own.endpoint(keyId)],
  ['endpoint', (own, { keyId }) => own.backlog(keyId)],
  ['deliveries', (own, { keyId }) => own.deliveries(keyId)],
  ['deliveries', (own, { eventId }) => own.delivery(eventId)],
  ['deliveries', (own, { keyId }) => own.deliveries(keyId, { state: 'mended' })],
  ['resendSince', (own, { keyId }) => own.countSince(keyId, 0)],
  ['requests', (own, { keyId }) => own.requests({ keyId })],
  ['requests', (own, { requestId }) => own.request(requestId)],
  ['applications', (own, { keyId }) => own.applications({ keyId })],
  ['applications', (own, { id }) => own.application(id)],
  ['goLive', (own, { keyId }) => own.readiness(keyId)],
];

const ACTS: readonly (readonly [PortalRight, (own: PartnerView, ids: Ids) => Promise<unknown>])[] = [
  ['url', (own, { keyId }) => own.setUrl(keyId, 'https://thief.example/hooks')],
  ['test', (own, { keyId }) => own.test(keyId)],
  ['pause', (own, { keyId }) => own.pause(keyId)],
  ['resume', (own, { keyId }) => own.resume(keyId, { retryNow: true })],
  ['rotateSecret', (own, { keyId }) => own.rotateSecret(keyId, { overlapMs: 0 })],
  ['resend', (own, { keyId, eventId }) => own.resend(keyId, eventId)],
  ['resendSince', (own, { keyId }) => own.resendSince(keyId, 0)],
  ['rotateKey', (own, { keyId }) => own.rotateKey({ keyId, overlapMs: 0 })],
  ['rotateKey', (own, { keyId }) => own.stopOldSecret(keyId, 'none')],
  ['goLive', (own, { keyId }) => own.probe(keyId)],
];

async function idsOfHooli(): Promise<Ids> {
  const { keyId } = platform.hooli;
  const [eventId, requestId] = [await newestEvent(keyId), await newestRequest(keyId)];
  return { keyId, eventId, requestId, id: platform.grace };
}

it('finds nothing by ids of another partner, and its acts change nothing there', async () => {
  const { fixture, acme } = platform;
  const ids = await idsOfHooli();
  const own = viewOf(acme.partnerId);
  const sent = fixture.transport.attempts.length;
  const before = await fixture.operator.audit.list({ limit: 1 });
  for (const [right, read] of READS) expect(await read(own, ids), right).toBeNull();
  for (const [right, act] of ACTS) {
    await expect(act(own, ids), right).rejects.toMatchObject({ code: 'KEY_NOT_FOUND' });
  }
  // The event of another key is not the partner's own either.
  const resent = await own.resend(acme.keyId, ids.eventId);
  expect(resent).toEqual({ kind: 'refused', refusal: { kind: 'no_event' } });
  expect(fixture.transport.attempts.length).toBe(sent);
  expect(await fixture.operator.audit.list({ limit: 1 })).toEqual(before);
});

it('refuses what the rights leave out, before it reads anything', async () => {
  const { acme, ada } = platform;
  const own = {
    keyId: acme.keyId,
    eventId: await newestEvent(acme.keyId),
    requestId: await newestRequest(acme.keyId),
    id: ada,
  };
  for (const [right, call] of [...READS.slice(1), ...ACTS]) {
    const without = viewOf(
      acme.partnerId,
      PORTAL_RIGHTS.filter((name) => name !== right),
    );
    await expect(call(without, own), right).rejects.toMatchObject({ code: 'RIGHT_MISSING' });
  }
  const [key] = await viewOf(acme.partnerId, []).keys();
  expect(key?.secrets).toEqual([]);
});

it('acts through the code of the partner API: a URL is proven, raises an alert, and can be restored', async () => {
  const { fixture, acme } = platform;
  const { operator } = fixture;
  const own = viewOf(acme.partnerId);
  const old = (await own.endpoint(acme.keyId))?.url ?? '';
  const refused = await own.setUrl(acme.keyId, 'http://plain.example');
  expect(refused).toMatchObject({ kind: 'refused', refusal: { kind: 'invalid_url' } });
  const changed = await own.setUrl(acme.keyId, 'https://new.example/hooks');
  expect(changed).toMatchObject({ kind: 'done' });
  await fixture.pass(1_000);
  expect(fixture.alerts.at(-1)).toMatchObject({ kind: 'endpoint_url_changed' });
  expect((await operator.endpoints.setUrl({ keyId: acme.keyId, restore: true })).endpoint.url).toBe(old);
  await operator.endpoints.pause({ keyId: acme.keyId });
  expect(await own.resume(acme.keyId, { retryNow: false })).toEqual({
    kind: 'refused',
    refusal: { kind: 'paused_by_operator' },
  });
  await operator.endpoints.resume({ keyId: acme.keyId });
  const { items } = await operator.audit.list({ act: 'endpoints.setUrl' });
  const dana = { id: `partner:${acme.partnerId}`, name: 'Dana', reason: null, door: 'portal' };
  // The latest is the one that restored the URL.
  expect(items[1]?.actor).toEqual(dana);
});

it('shows the query of a URL only to a person who may set it', async () => {
  const { fixture, acme } = platform;
  const { keyId } = acme;
  const { url: before = '' } = (await fixture.operator.endpoints.find({ keyId })) ?? {};
  const url = 'https://ats.example.org/hooks?token=s3cret';
  await fixture.operator.endpoints.setUrl({ keyId, url });
  const without = PORTAL_RIGHTS.filter((right) => right !== 'url');
  for (const [own, shown] of [
    [viewOf(acme.partnerId), url],
    [viewOf(acme.partnerId, without), 'https://ats.example.org/hooks?…'],
  ] as const) {
    const acted = [await own.pause(keyId), await own.resume(keyId, { retryNow: false })];
    const urls = acted.map((each) => (each.kind === 'done' ? each.result.url : each.refusal));
    expect([(await own.endpoint(keyId))?.url, ...urls]).toEqual([shown, shown, shown]);
  }
  await fixture.operator.endpoints.setUrl({ keyId, url: before });
});

it('does not set a URL if the session ended while the URL was proven', async () => {
  const { fixture } = platform;
  const { operator, transport } = fixture;
  const { id: partnerId } = await operator.partners.create({ name: 'Ending' });
  const { key } = await operator.keys.issue({ partnerId, environment: 'production' });
  const url = 'https://admin.example.com/portal';
  const { link } = await operator.portal.createLink({ partnerId, url });
  const token = new URL(link).searchParams.get('token') ?? '';
  const { session } = await operator.portal.signIn({ token, host: 'admin.example.com' });
  const own = operator.forPartner({
    partnerId,
    name: 'Dana',
    rights: ['url', 'endpoint'],
    session: session?.token,
  });
  transport.answerWith(async () => {
    await operator.portal.revoke({ partnerId });
    return answered(200);
  });
  expect(await own.setUrl(key.id, 'https://late.example/hooks')).toEqual({
    kind: 'refused',
    refusal: { kind: 'key_ended' },
  });
  expect(await own.endpoint(key.id)).toBeNull();
});

it('shows the limits that the host has set, on the routes that it serves', async () => {
  const limitsOf = async (options: Parameters<typeof createFixture>[0]) => {
    const { operator, close } = await createFixture(options);
    const { id: partnerId } = await operator.partners.create({ name: 'Acme ATS' });
    await operator.keys.issue({ partnerId, environment: 'sandbox' });
    const [key] = await operator.forPartner({ partnerId, name: 'Dana', rights: [] }).keys();
    await close();
    return key?.limits.map(({ route, perMinute, inBootstrap }) => [route, perMinute, inBootstrap]);
  };
  expect((await limitsOf({}))?.map(([, perMinute]) => perMinute)).toEqual([10, 120, 60, 60, 300]);
  const limits = { submit_application: 20, list_jobs: 7, webhook_endpoint: 3 };
  expect(await limitsOf({ limits, selfService: { events: true, pause: true } })).toEqual([
    ['POST /applications', 20, 100],
    ['GET /applications/{id}', 120, null],
    ['GET /applications', 60, null],
    ['GET /jobs', 7, null],
    ['GET /events', 60, null],
    ['all of /webhook-endpoint', 3, null],
    ['refused and repeated requests', 300, null],
  ]);
});
