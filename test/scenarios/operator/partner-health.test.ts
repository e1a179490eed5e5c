/** How a partner does, from counts of each hour. */
import type { PartnerId } from '@partner-hiring/core';
import { createPartner } from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import { expect, it } from 'vitest';
import { latencyName } from '../../../packages/core/src/domain/hour-count.js';
import { DAY_MS } from '../../../packages/core/src/domain/time.js';
import { openDeliveryStage } from './deliveries-stage.js';

const stage = perTest(openDeliveryStage, ({ close }) => close());

async function ownerOf(keyId: typeof stage.keyId) {
  const found = await stage.operator.keys.find({ id: keyId });
  if (found === null) throw new Error('The key is missing.');
  return found.key.partnerId;
}

async function healthOf(id: PartnerId) {
  const found = await stage.operator.partners.find({ id, health: true });
  if (found === null || found.health === null) throw new Error('The partner is missing.');
  return found.health;
}

const NOTHING = {
  requests: 0,
  errors: 0,
  codes: [],
  fields: [],
  deliveries: { succeeded: 0, failed: 0 },
  latency: { median: null, p95: null },
};

it('has requests, errors, codes, fields, deliveries and latency of a day and a week, beside all others', async () => {
  const { partner, keyId, clock } = stage;
  const id = await ownerOf(keyId);
  const other = await createPartner(stage);
  const before = stage.transport.attempts.length;
  const failing = await stage.record(1);
  stage.fail(failing);
  await stage.record(3);
  await stage.drain();
  await clock.advance(2 * DAY_MS);
  await partner.submit({});
  await partner.submit({});
  await partner.get('/jobs');
  await other.get('/jobs');
  await other.get('/applications/ej_app_none');

  const { at, keys } = await healthOf(id);
  expect(at).toBe(clock.now());
  expect(keys).toMatchObject([
    {
      keyId,
      environment: 'production',
      day: {
        requests: 3,
        errors: 2,
        codes: [{ name: 'VALIDATION_ERROR', count: 2 }],
        deliveries: { succeeded: 0, failed: 0 },
        latency: { median: null, p95: null },
      },
      week: { requests: 3, errors: 2, deliveries: { succeeded: 3 + before, failed: 1 } },
    },
  ]);
  const [{ day, week, lastSuccessAt } = { day: null, week: null, lastSuccessAt: null }] = keys;
  expect(day?.fields.map(({ name }) => name)).toContain('jobId');
  expect(day?.fields.length).toBeLessThanOrEqual(5);
  expect(week?.latency.p95).toBeGreaterThanOrEqual(week?.latency.median ?? Number.POSITIVE_INFINITY);
  expect(lastSuccessAt).toBeLessThan(at - DAY_MS);
  expect(keys[0]?.others).toMatchObject({
    day: { requests: 2, errors: 1, codes: [{ name: 'APPLICATION_NOT_FOUND', count: 1 }], fields: [] },
    week: { requests: 2, deliveries: { succeeded: 0, failed: 0 } },
  });
});

it('compares production with production, and the sandbox with the sandbox', async () => {
  const { partner } = stage;
  const id = await ownerOf(partner.keyId);
  const own = await createPartner(stage, { sandbox: true, partnerId: id });
  const other = await createPartner(stage);
  const inSandbox = await createPartner(stage, { sandbox: true });
  await partner.get('/jobs');
  await own.get('/jobs');
  await own.get('/applications');
  for (let times = 0; times < 3; times += 1) await inSandbox.get('/applications/ej_app_none');
  await other.submit({});
  const { keys } = await healthOf(id);
  const shown = keys.map(({ environment, day, others }) => [
    environment,
    [day.requests, day.errors],
    [others?.day.requests, others?.day.codes.map(({ name, count }) => `${name} ${count}`)],
  ]);
  expect(shown.toSorted()).toEqual([
    ['production', [1, 0], [1, ['VALIDATION_ERROR 1']]],
    ['sandbox', [2, 0], [3, ['APPLICATION_NOT_FOUND 3']]],
  ]);
});

it('is empty for a partner without traffic, and for one without a key', async () => {
  const { operator } = stage;
  const { id } = await operator.partners.create({ name: 'Globex' });
  expect((await healthOf(id)).keys).toEqual([]);
  await operator.keys.issue({ partnerId: id, environment: 'sandbox' });
  const { keys } = await healthOf(id);
  expect(keys).toMatchObject([{ environment: 'sandbox', lastSuccessAt: null, day: NOTHING, week: NOTHING }]);
  expect(await operator.partners.find({ id })).toMatchObject({ name: 'Globex', health: null });
  expect(await operator.partners.find({ id: 'ptn_none', health: true })).toBeNull();
});

it('a latency belongs to the smallest step that it fits into', () => {
  expect([0, 50, 51, 999, 30_000, 31_000].map(latencyName)).toEqual([
    '50',
    '50',
    '100',
    '1000',
    '30000',
    '30000',
  ]);
});
