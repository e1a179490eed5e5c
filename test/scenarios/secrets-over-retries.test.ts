/** Contract: 11, over days of retries, across a rotation, and sealed for one endpoint. */

import { createFakeClock } from '@partner-hiring/test-support/clock';
import { createPartner } from '@partner-hiring/test-support/partner';
import { createTestDatabase } from '@partner-hiring/test-support/storages';
import { answered } from '@partner-hiring/test-support/transport';
import { verifyWebhook } from '@partner-hiring/webhook-verifier';
import { expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../packages/core/src/domain/time.js';
import { openDeliveryStage } from './operator/deliveries-stage.js';

it('ten attempts over days, across a rotation, are each verified at their own time by those secrets that sign then', async () => {
  const stage = await openDeliveryStage();
  const { operator, keyId, partner, clock } = stage;
  const first = partner.signingSecret ?? '';
  const [eventId = 'evt_'] = await stage.record(1);
  const attempts: {
    readonly at: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  }[] = [];
  stage.transport.answerWith(({ headers, body }) => {
    if (!body.includes(eventId)) return answered(200);
    attempts.push({ at: clock.now(), headers, body });
    return answered(500);
  });
  await stage.drain();
  await stage.pass(12 * HOUR_MS, HOUR_MS);
  const overlapMs = 36 * HOUR_MS;
  // No attempt was made at this instant.
  await clock.advance(1);
  const rotatedAt = clock.now();
  const { signingSecret: second } = await operator.endpoints.rotateSecret({ keyId, overlapMs });
  for (let hours = 0; attempts.length < 10; hours += 12) {
    expect(hours).toBeLessThan(120);
    // Another event goes well twice a day, so that the endpoint is not paused.
    await stage.record(1);
    await stage.drain();
    await stage.pass(12 * HOUR_MS, HOUR_MS);
  }

  const signs = { first: [] as boolean[], second: [] as boolean[] };
  for (const { at, headers, body } of attempts) {
    const verifies = async (secret: string, now = at) =>
      (await verifyWebhook({ headers, body, secret, now })).ok;
    signs.first.push(await verifies(first));
    signs.second.push(await verifies(second));
    // Signed for its own time, not for that of the event or of another attempt.
    expect(await verifies(at < rotatedAt ? first : second, at + 301_000)).toBe(false);
  }
  expect(signs.first).toEqual(attempts.map(({ at }) => at < rotatedAt + overlapMs));
  expect(signs.second).toEqual(attempts.map(({ at }) => at >= rotatedAt));
  // Each of the three times had an attempt: before, during and after the overlap.
  expect(new Set(attempts.map((_, index) => `${signs.first[index]} ${signs.second[index]}`)).size).toBe(3);
  expect((attempts.at(-1)?.at ?? 0) - (attempts[0]?.at ?? 0)).toBeGreaterThan(2 * DAY_MS);
  expect(new Set(attempts.map(({ body }) => body)).size).toBe(1);
  expect(new Set(attempts.map(({ headers }) => headers['X-Partner-Signature'])).size).toBe(10);
  await stage.close();
});

it('a sealed secret that was moved to the row of another endpoint signs nothing there, and a new one mends it', async () => {
  const database = await createTestDatabase();
  const storage = await database.open(createFakeClock());
  const errors: string[] = [];
  const error = (_fields: unknown, message: string) => void errors.push(message);
  const stage = await openDeliveryStage({
    storage,
    logger: { debug() {}, info() {}, warn() {}, error },
  });
  const { operator, keyId } = stage;
  const victim = await createPartner(stage);
  const moved = await storage.direct.endpoints.find(victim.keyId);
  await storage.transaction(async (tx) => {
    const own = await tx.endpoints.findForUpdate(keyId);
    if (own !== null) await tx.endpoints.save({ ...own, secrets: moved?.secrets ?? [] });
  });
  const [eventId] = await stage.record(1);
  await stage.drain();
  expect(stage.sent()).toEqual([]);
  expect(errors).toEqual([
    'Events cannot be sent to this endpoint now; the worker tries again after `cooldownMs`. No attempt was counted.',
  ]);
  await expect(operator.endpoints.test({ keyId })).rejects.toMatchObject({ code: 'MISCONFIGURED' });
  // The row that it was sealed for opens it.
  expect(await operator.endpoints.test({ keyId: victim.keyId })).toMatchObject({ isSuccess: true });

  const { signingSecret } = await operator.endpoints.rotateSecret({ keyId, overlapMs: 0 });
  await stage.pass(MINUTE_MS);
  expect(stage.sent()).toContain(eventId);
  const sent = stage.transport.attempts.at(-1) ?? { headers: {}, body: '' };
  const verified = await verifyWebhook({ ...sent, secret: signingSecret, now: stage.clock.now() });
  expect(verified.ok).toBe(true);
  await stage.close();
  await database.remove();
});
