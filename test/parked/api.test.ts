/** Requests whose API key ends after they were admitted and before their body arrives. */
import { randomUUID } from 'node:crypto';
import { createOpenApiDocument } from '@partner-hiring/partner-docs';
import { createFixture } from '@partner-hiring/test-support/fixture';
import { BASE_PATH, submission } from '@partner-hiring/test-support/partner';
import { afterAll, expect, it } from 'vitest';
import { createOwner, ENDS_OF_A_KEY, lateBody, type Owner, stateOf } from './owner.js';

const ALL_RIGHTS = {
  events: true,
  endpoint: true,
  url: true,
  test: true,
  pause: true,
  resume: true,
  rotateSecret: true,
  deliveries: true,
  resend: true,
  resendSince: true,
} as const;

/** The acts of the API: the requests of its document that have a body. */
const ACTS = Object.entries(createOpenApiDocument({ selfService: ALL_RIGHTS }).paths).flatMap(
  ([path, methods]) =>
    Object.keys(methods)
      .filter((method) => method !== 'get')
      .map((method) => `${method.toUpperCase()} ${path}`),
);

/** A body that each act accepts, and what it needs before. */
const BODIES: Readonly<Record<string, (owner: Owner) => unknown>> = {
  'POST /applications': ({ jobId }) => submission(jobId, {}),
  'PUT /webhook-endpoint': () => ({ url: 'https://other.example.org/webhooks' }),
  'POST /webhook-endpoint/test': () => ({}),
  'POST /webhook-endpoint/pause': () => ({}),
  'POST /webhook-endpoint/resume': () => ({ retryNow: true }),
  'POST /webhook-endpoint/rotate-secret': () => ({}),
  'POST /webhook-endpoint/deliveries/{eventId}/resend': () => ({}),
  'POST /webhook-endpoint/resend': () => ({ since: '2026-01-01T00:00:00Z' }),
};

const fixture = await createFixture({ selfService: ALL_RIGHTS });
afterAll(() => fixture.close());

/** Sends a request whose body arrives after `meanwhile`. */
async function send(act: string, owner: Owner, meanwhile: () => Promise<unknown>, idempotencyKey: string) {
  const [method = '', path = ''] = act.split(' ');
  const url = `https://api.example.com${BASE_PATH}${path.replace('{eventId}', owner.eventId)}`;
  const body = lateBody(JSON.stringify(BODIES[act]?.(owner)), meanwhile);
  const headers = {
    authorization: `Bearer ${owner.secret}`,
    'content-type': 'application/json',
    'idempotency-key': idempotencyKey,
  };
  const request = new Request(url, { method, headers, body, duplex: 'half' });
  const response = await fixture.partnerHiring.fetch(request);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function createOwnerOf(act: string): Promise<Owner> {
  const owner = await createOwner(fixture);
  if (act.endsWith('/resume'))
    await send('POST /webhook-endpoint/pause', owner, async () => {}, randomUUID());
  return owner;
}

it('every act of the document has a body here', () => {
  expect(Object.keys(BODIES).sort()).toEqual([...ACTS].sort());
});

it.each(ACTS)('%s changes something while the key works', async (act) => {
  const owner = await createOwnerOf(act);
  const before = await stateOf(fixture, owner);
  const { status } = await send(act, owner, async () => {}, randomUUID());
  expect(status).toBeLessThan(300);
  expect(await stateOf(fixture, owner)).not.toBe(before);
});

const CASES = ACTS.flatMap((act) => Object.keys(ENDS_OF_A_KEY).map((way) => [act, way] as const));

it.each(CASES)('%s gets the 401 of any other key and changes nothing if meanwhile %s', async (act, way) => {
  const owner = await createOwnerOf(act);
  let after = '';
  const takeAway = async () => {
    await ENDS_OF_A_KEY[way]?.(fixture, owner);
    after = await stateOf(fixture, owner);
  };
  const parked = await send(act, owner, takeAway, randomUUID());
  expect(await stateOf(fixture, owner)).toBe(after);
  const stranger = await send(act, { ...owner, secret: 'pek_live_unknown' }, async () => {}, randomUUID());
  expect([parked.status, parked.text]).toEqual([401, stranger.text]);
  expect(namesOf(parked.headers)).toEqual(namesOf(stranger.headers));
  expect(parked.headers.get('x-ratelimit-limit')).toBe(stranger.headers.get('x-ratelimit-limit'));
});

function namesOf(headers: Headers): readonly string[] {
  return [...headers.keys()].sort();
}

it('a parked replay gets 401, and the stored reply stays secret', async () => {
  const act = 'POST /applications';
  const [owner, key] = [await createOwner(fixture), randomUUID()];
  const first = await send(act, owner, async () => {}, key);
  expect(first.status).toBe(201);
  const takeAway = () => fixture.operator.keys.revoke({ id: owner.keyId, all: true });
  const { status, text } = await send(act, owner, takeAway, key);
  expect(status).toBe(401);
  expect(text).not.toContain(JSON.parse(first.text).id);
});

it('a parked request with an invalid body gets 401, not the errors of its fields', async () => {
  const owner = await createOwner(fixture);
  const takeAway = () => fixture.operator.partners.update({ id: owner.partnerId, disabled: true });
  const { status } = await send('POST /applications', { ...owner, jobId: '' }, takeAway, randomUUID());
  expect(status).toBe(401);
});

it('submissions of other keys in the same batch are accepted', async () => {
  const [thief, others] = [
    await createOwner(fixture),
    await Promise.all([1, 2, 3].map(() => createOwner(fixture))),
  ];
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const parked = [thief, ...others].map((owner) =>
    send('POST /applications', owner, () => gate, randomUUID()),
  );
  await fixture.operator.keys.revoke({ id: thief.keyId, all: true });
  open();
  expect((await Promise.all(parked)).map(({ status }) => status)).toEqual([401, 201, 201, 201]);
});
