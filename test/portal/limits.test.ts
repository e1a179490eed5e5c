/** Limits of what people do in the portal, however they reach it. */
import type { OperatorAlert } from '@partner-hiring/core';
import { createFixture, type Fixture } from '@partner-hiring/test-support/fixture';
import { createPartner, send } from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import { expect, it } from 'vitest';
import { actorOf, openPortal, PORTAL_ORIGIN, PORTAL_URL, type PortalVisitor } from './portal.js';

const SELF_SERVICE = { endpoint: true, test: true, rotateSecret: true } as const;

const stage = perTest(openStage, ({ fixture }) => fixture.close());

async function openStage() {
  const fixture = await createFixture({ portalUrl: PORTAL_URL, selfService: SELF_SERVICE });
  const { id: partnerId } = await fixture.operator.partners.create({ name: 'Acme ATS' });
  const contact = { name: 'Dana', email: 'dana@ats.example' };
  await fixture.operator.partners.update({ id: partnerId, contact });
  const { keyId } = await createPartner(fixture, { partnerId });
  const sandbox = await createPartner(fixture, { partnerId, sandbox: true });
  return { fixture, partnerId, keyId, sandboxKeyId: sandbox.keyId };
}

const verbOf = (act: string) => act.split('.')[1];

const secretsOf = async ({ operator }: Fixture, keyId: `key_${string}`) =>
  (await operator.keys.find({ id: keyId }))?.secrets ?? [];

const workingSecretsOf = async (fixture: Fixture, keyId: `key_${string}`) =>
  (await secretsOf(fixture, keyId)).filter(({ state }) => state === 'current' || state === 'replaced');

async function rotateKey(visitor: PortalVisitor, overlap = '24') {
  const { fixture, keyId } = stage;
  // The clock stands still, so the order of the secrets does not say which is the newest.
  const secrets = await secretsOf(fixture, keyId);
  const current = secrets.find(({ state }) => state === 'current') ?? secrets[0];
  const fields = { confirmed: 'yes', overlap, ifCurrent: current?.lastFour ?? '' };
  return visitor.post(`/portal/keys/${keyId}/rotate`, fields);
}

it('tests of an endpoint are limited like those with an API key, and each key has a limit of its own', async () => {
  const { fixture, partnerId, keyId, sandboxKeyId } = stage;
  const visitor = openPortal(fixture, actorOf(partnerId));
  const test = (id: string) => visitor.post(`/portal/endpoints/${id}/test`);
  const sent = () => fixture.transport.events().length;
  for (let count = 1; count <= 10; count += 1) expect((await test(keyId)).status).toBeLessThan(400);
  const before = sent();
  const refused = await test(keyId);
  expect([refused.status, sent()]).toEqual([429, before]);
  expect(refused.text).toMatch(
    /more than 10 acts in the portal on this key within a minute\. Try again in \d+ s/,
  );
  expect((await test(sandboxKeyId)).status).toBeLessThan(400);
  await fixture.pass(60_000);
  expect((await test(keyId)).status).toBeLessThan(400);
});

it('URLs that are refused count too, and every act of a key shares one limit', async () => {
  const { fixture, partnerId, keyId } = stage;
  const visitor = openPortal(fixture, actorOf(partnerId));
  fixture.transport.answerWith(() => ({ kind: 'answered', status: 500, excerpt: '' }));
  const fields = { url: 'https://internal.example/admin' };
  const statuses = [];
  for (let count = 1; count <= 12; count += 1)
    statuses.push((await visitor.post(`/portal/endpoints/${keyId}/url`, fields)).status);
  expect(statuses.slice(10)).toEqual([429, 429]);
  expect((await visitor.post(`/portal/endpoints/${keyId}/pause`, { confirmed: 'yes' })).status).toBe(429);
});

it('pages, the API, and the operator are not limited by acts in the portal', async () => {
  const { fixture, partnerId, keyId } = stage;
  const { secret } = await fixture.operator.keys.rotate({ id: keyId });
  const visitor = openPortal(fixture, actorOf(partnerId));
  for (let count = 0; count < 12; count += 1) await visitor.post(`/portal/endpoints/${keyId}/test`);
  expect((await visitor.get(`/portal/endpoints/${keyId}`)).status).toBe(200);
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  expect((await send(fixture, 'POST', '/webhook-endpoint/test', { headers, body: '{}' })).status).toBe(200);
  expect(await fixture.operator.endpoints.test({ keyId })).toMatchObject({ isSuccess: true });
});

it('a thief with the API key cannot keep the owner from acting in the portal', async () => {
  const { fixture, partnerId, keyId } = stage;
  const { secret } = await fixture.operator.keys.rotate({ id: keyId });
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  const flood = () => send(fixture, 'POST', '/webhook-endpoint/test', { headers, body: '{}' });
  for (let count = 0; count < 11; count += 1) await flood();
  expect((await flood()).status).toBe(429);
  expect((await rotateKey(openPortal(fixture, actorOf(partnerId)), '0')).text).toContain('pek_live_');
});

it('a rotation that would make a fourth working API key names those to stop, which is always possible', async () => {
  const { fixture, partnerId, keyId } = stage;
  const visitor = openPortal(fixture, actorOf(partnerId));
  expect((await rotateKey(visitor)).status).toBe(200);
  expect((await rotateKey(visitor)).status).toBe(200);
  const working = await workingSecretsOf(fixture, keyId);
  expect(working).toHaveLength(3);
  const refused = await rotateKey(visitor);
  expect([refused.status, await workingSecretsOf(fixture, keyId)]).toEqual([409, working]);
  for (const { lastFour } of working) expect(refused.text).toContain(`…${lastFour}`);
  for (let count = 0; count < 10; count += 1) await visitor.post(`/portal/endpoints/${keyId}/test`);
  const old = working.find(({ state }) => state === 'replaced')?.lastFour ?? '';
  const stopped = await visitor.post(`/portal/keys/${keyId}/stop-old`, { confirmed: 'yes', secret: old });
  expect([stopped.status, (await workingSecretsOf(fixture, keyId)).length]).toEqual([303, 2]);
  await fixture.pass(60_000);
  expect((await rotateKey(visitor)).status).toBe(200);
  expect((await rotateKey(visitor, '0')).status).toBe(200);
  expect(await workingSecretsOf(fixture, keyId)).toHaveLength(1);
});

it('a signing secret is limited alike, also with an API key, and the operator rotates on', async () => {
  const { fixture, keyId } = stage;
  const { secret } = await fixture.operator.keys.rotate({ id: keyId });
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  const rotate = (body: object) =>
    send(fixture, 'POST', '/webhook-endpoint/rotate-secret', { headers, body: JSON.stringify(body) });
  expect([(await rotate({})).status, (await rotate({})).status]).toEqual([200, 200]);
  const { status, json } = await rotate({});
  expect([status, json.error]).toEqual([422, 'VALIDATION_ERROR']);
  expect(json.details).toMatchObject({
    errors: [
      {
        field: 'overlapSeconds',
        code: 'invalid_value',
        message: expect.stringMatching(/3 secrets work already: the one of 20/),
      },
    ],
  });
  expect((await rotate({ overlapSeconds: 0 })).status).toBe(200);
  for (let count = 0; count < 5; count += 1) {
    await fixture.operator.endpoints.rotateSecret({ keyId });
    await fixture.operator.keys.rotate({ id: keyId });
  }
});

it('a person of the host makes no working key after the operator has revoked all', async () => {
  const { fixture, partnerId, keyId } = stage;
  await fixture.operator.keys.revoke({ id: keyId, all: true });
  const visitor = openPortal(fixture, actorOf(partnerId));
  const refused = await rotateKey(visitor);
  expect([refused.status, await workingSecretsOf(fixture, keyId)]).toEqual([409, []]);
  expect(refused.text).toContain('cannot rotate anything');
  const own = fixture.operator.forPartner(actorOf(partnerId));
  await expect(own.rotateSecret(keyId, { overlapMs: 0 })).resolves.toMatchObject({ kind: 'refused' });
});

it('a new API key that a partner made raises an alert with a message at once, which names the door', async () => {
  const { fixture, partnerId, keyId } = stage;
  await rotateKey(openPortal(fixture, actorOf(partnerId)));
  await fixture.pass(1_000);
  const [alert] = fixture.alerts.filter(({ kind }) => kind === 'key_rotated');
  expect(alert).toMatchObject({
    kind: 'key_rotated',
    keyId,
    door: 'portal',
  } satisfies Partial<OperatorAlert>);
  expect(alert).toMatchObject({ message: { subject: 'A new production API key was made' } });
  expect(JSON.stringify(alert)).toContain('somebody who was signed in to your portal');
  await fixture.operator.keys.rotate({ id: keyId });
  await fixture.pass(1_000);
  expect(fixture.alerts.filter(({ kind }) => kind === 'key_rotated')).toHaveLength(1);
});

it('sign-ins that fail are limited for a network, and a valid link or session works even then', async () => {
  const { fixture, partnerId } = stage;
  const visitor = openPortal(fixture, null, { actor: undefined });
  const { link } = await fixture.operator.portal.createLink({ partnerId });
  const guess = (number: number) => visitor.get(`/portal/sign-in?token=guess-${number}`);
  for (let count = 1; count <= 120; count += 1) expect((await guess(count)).status).toBe(410);
  expect((await guess(121)).status).toBe(429);
  expect((await visitor.get(link)).status).toBe(200);
  const own = { origin: PORTAL_ORIGIN, 'sec-fetch-site': 'same-origin' };
  expect((await visitor.post(link, {}, own)).status).toBe(303);
  expect((await visitor.get('/portal')).status).toBe(200);
  visitor.cookie = 'partner_hiring_portal_session=forged';
  expect((await visitor.get('/portal')).status).toBe(429);
  await fixture.pass(60_000);
  expect((await visitor.get('/portal')).status).toBe(401);
});

it('networks have limits of their own where the mount knows the address', async () => {
  const { fixture } = stage;
  const { find } = fixture.operator.portal;
  const guess = (client: string) =>
    find({ token: 'guess', host: 'jobs.example.com', kind: 'session', client }).then(
      () => 'counted',
      ({ code }) => code,
    );
  for (let count = 0; count < 120; count += 1) await guess('2001:db8:1:2::1');
  expect(await guess('2001:db8:1:2::ffff')).toBe('RATE_LIMITED');
  expect(await guess('2001:db8:1:3::1')).toBe('counted');
});

it('a person whom the host signs in stays signed in beside a stale cookie while sign-ins are limited', async () => {
  const { fixture, partnerId } = stage;
  const visitor = openPortal(fixture, actorOf(partnerId));
  visitor.cookie = 'partner_hiring_portal_session=stale';
  for (let count = 0; count < 122; count += 1) expect((await visitor.get('/portal/docs')).status).toBe(200);
});

it('tests and refused URLs are recorded, with the door', async () => {
  const { fixture, partnerId, keyId } = stage;
  const visitor = openPortal(fixture, actorOf(partnerId));
  await visitor.post(`/portal/endpoints/${keyId}/test`);
  fixture.transport.answerWith(() => ({ kind: 'answered', status: 500, excerpt: '' }));
  await visitor.post(`/portal/endpoints/${keyId}/url`, { url: 'https://internal.example/admin?token=1' });
  const { items } = await fixture.operator.audit.list({ actorId: `partner:${partnerId}` });
  expect(items.map(({ act, actor, after }) => [verbOf(act), actor.door, after])).toEqual([
    ['setUrl', 'portal', { refusedOrigin: 'https://internal.example', failure: 'status' }],
    ['test', 'portal', null],
  ]);
});

it('acts of a session are recorded with the maker of its link', async () => {
  const { fixture, partnerId, keyId } = stage;
  const ada = fixture.operator.as({ id: 'user_42', name: 'Ada' });
  const { link } = await ada.portal.createLink({ partnerId });
  const visitor = openPortal(fixture, null, { actor: undefined });
  await visitor.post(link, {}, { origin: PORTAL_ORIGIN, 'sec-fetch-site': 'same-origin' });
  await visitor.post(`/portal/endpoints/${keyId}/pause`, { confirmed: 'yes' });
  await visitor.post('/portal/sign-out');
  const { items } = await fixture.operator.audit.list({ actorId: `partner:${partnerId}` });
  const reason = 'Signed in by a link of Ada (user_42)';
  const actor = { id: `partner:${partnerId}`, name: 'Acme ATS', reason, door: 'portal' };
  expect(items.map(({ act, actor: by }) => [verbOf(act), by])).toEqual([
    ['revoke', actor],
    ['pause', actor],
    ['signIn', actor],
  ]);
});
