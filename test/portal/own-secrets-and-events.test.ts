/** Through its view, a partner sees until when secrets work, stops old ones, and sees what became of its events. */
import { PORTAL_RIGHTS } from '@partner-hiring/core';
import { afterAll, expect, it } from 'vitest';
import { openPlatform, type Platform } from '../console/platform.js';
import { seedFailing } from '../console/seed.js';
import { actorOf, openPortal } from './portal.js';

const platform = await openPlatform();
afterAll(() => platform.close());

const viewOf = (partnerId: Platform['acme']['partnerId']) =>
  platform.fixture.operator.forPartner({ partnerId, name: 'Dana', rights: PORTAL_RIGHTS });

it('stops a replaced secret before its overlap ends, and never the current one', async () => {
  const { fixture, acme } = platform;
  const own = viewOf(acme.partnerId);
  const stateOf = async () => (await own.key(acme.keyId))?.secrets.map(({ state }) => state).slice(0, 2);
  await own.rotateKey({ keyId: acme.keyId });
  const [current, old] = (await own.key(acme.keyId))?.secrets ?? [];
  expect(await stateOf()).toEqual(['current', 'replaced']);
  const stop = (secret = current) => own.stopOldSecret(acme.keyId, secret?.lastFour ?? '');
  await expect(stop()).rejects.toMatchObject({ code: 'SECRET_NOT_FOUND' });
  expect(await stop(old)).toMatchObject({ changed: true });
  expect(await stateOf()).toEqual(['current', 'revoked']);
  await expect(stop(old)).rejects.toMatchObject({ code: 'SECRET_NOT_FOUND' });
  const [entry] = (await fixture.operator.audit.list({ act: 'keys.revoke' })).items;
  expect(entry?.actor.id).toBe(`partner:${acme.partnerId}`);
});

it('shows until when a replaced signing secret signs', async () => {
  const { fixture, acme } = platform;
  const own = viewOf(acme.partnerId);
  const now = fixture.clock.now();
  await own.rotateSecret(acme.keyId, { overlapMs: 60_000 });
  expect((await own.endpoint(acme.keyId))?.signingSecrets).toEqual([
    { createdAt: now, expiresAt: null },
    { createdAt: expect.any(Number), expiresAt: now + 60_000 },
  ]);
  await fixture.pass(60_000);
  expect((await own.endpoint(acme.keyId))?.signingSecrets).toHaveLength(1);
});

it('keeps the last failure of an event that was delivered later or is resent, and lists such events', async () => {
  const { fixture, acme } = platform;
  const own = viewOf(acme.partnerId);
  const { keyId } = acme;
  const eventId = await seedFailing(platform);
  expect((await own.backlog(keyId))?.retries).toBe(1);
  fixture.transport.answerWith(200);
  await fixture.pass(600_000);
  const lastFailed = { failure: { kind: 'status', status: 503 } };
  const find = async () => (await own.deliveries(keyId, { state: 'mended' }))?.items[0];
  expect(await find()).toMatchObject({ eventId, state: 'delivered', lastFailure: null, lastFailed });
  await own.resend(keyId, eventId);
  const waiting = await own.delivery(eventId);
  expect(waiting).toMatchObject({ state: 'pending', attempts: 0, cycle: 2, lastFailed });
  expect(waiting?.deliveredAt).toEqual(expect.any(Number));
  await fixture.pass(1_000);
  const cycles = (await own.delivery(eventId))?.attemptList.map(({ cycle }) => cycle) ?? [];
  expect([cycles[0], cycles.at(-1)]).toEqual([1, 2]);
  expect(await find()).toMatchObject({ eventId, cycle: 2, lastFailed });
  const all = (await own.deliveries(keyId))?.items ?? [];
  expect(await own.countSince(keyId, 0)).toEqual({ count: all.length, isExact: true });
});

it('counts and sends no event that the platform cancelled, and says so', async () => {
  const { fixture, acme } = platform;
  const own = viewOf(acme.partnerId);
  const { keyId } = acme;
  const eventId = await seedFailing(platform);
  const before = (await own.countSince(keyId, 0))?.count ?? 0;
  await fixture.operator.deliveries.cancel({ keyId, eventId });
  expect(await own.countSince(keyId, 0)).toEqual({ count: before - 1, isExact: true });
  const refusal = { kind: 'cancelled_by_operator' };
  expect(await own.resend(keyId, eventId)).toEqual({ kind: 'refused', refusal });
  const visitor = openPortal(fixture, actorOf(acme.partnerId));
  const words = 'We cancelled this event, and only we can resend it. Ask the support.';
  const page = `/portal/deliveries/${eventId}`;
  const { text } = await visitor.get(page);
  expect(text).toContain('cancelled by us');
  expect(text).toContain(words);
  expect(text).not.toContain('Send it now');
  const refused = await visitor.post(`${page}/resend`);
  expect([refused.status, refused.text.includes(words)]).toEqual([409, true]);
  expect((await own.delivery(eventId))?.state).toBe('cancelled');
});
