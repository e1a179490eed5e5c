/** Which endpoints fail, since when and why. */
import { perTest } from '@partner-hiring/test-support/per-test';
import { answered, UNREACHABLE } from '@partner-hiring/test-support/transport';
import { describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../packages/core/src/domain/time.js';
import type { EndpointFilter } from '../../../packages/core/src/groups/deliveries/endpoint-report.js';
import { openDeliveryStage } from './deliveries-stage.js';

const stage = perTest(openDeliveryStage, ({ close }) => close());

/** Adds a partner with an endpoint that gets an event. */
async function addPartner(name: string) {
  const { operator } = stage;
  const { id: partnerId } = await operator.partners.create({ name });
  const endpointUrl = `https://${name.toLowerCase()}.example:8443/secret-path?token=1`;
  const { key } = await operator.keys.issue({ partnerId, environment: 'production', endpointUrl });
  const [company] = (await operator.companies.list()).items;
  if (company === undefined) throw new Error('There is a company.');
  await operator.access.grant({ keyId: key.id, companyId: company.id });
  return { partnerId, keyId: key.id };
}

const listFailing = (page: Omit<EndpointFilter, 'onlyFailing'> = {}) =>
  stage.operator.endpoints.list({ ...page, onlyFailing: true });

describe('the list of failing endpoints', () => {
  it('has the partner, since when, the last error, the failures and what waits, until the next success', async () => {
    const { operator, clock, transport } = stage;
    const { keyId, partnerId } = await addPartner('Globex');
    await stage.drain();
    expect(await listFailing()).toEqual({ items: [], nextCursor: null });
    transport.answerWith(({ url }) => (url.includes('globex') ? answered(503) : answered(200)));
    await stage.record(2);
    const failingSince = clock.now();
    await stage.drain();
    transport.answerWith(({ url }) => (url.includes('globex') ? UNREACHABLE : answered(200)));
    await stage.pass(2 * MINUTE_MS);
    await stage.record(1);
    const expected = {
      keyId,
      partnerId,
      partnerName: 'Globex',
      keyLabel: 'Globex (production)',
      state: { kind: 'active' },
      counts: { due: 1, scheduled: 2, paused: 0, isExact: true },
    };
    const health = { firstFailureAt: failingSince, consecutiveFailures: 4 };
    expect((await listFailing()).items).toMatchObject([
      { ...expected, health: { ...health, lastFailure: { kind: 'failed', failure: 'connection_failed' } } },
    ]);

    await operator.endpoints.pause({ keyId });
    expect((await listFailing()).items).toMatchObject([
      { health, counts: { paused: 3 }, state: { kind: 'paused', reason: 'operator' } },
    ]);
    await operator.endpoints.resume({ keyId });
    expect((await listFailing()).items).toEqual([]);
    await stage.drain();
    expect((await listFailing()).items).toHaveLength(1);
    transport.answerWith(() => answered(200));
    await stage.pass(HOUR_MS);
    expect((await listFailing()).items).toEqual([]);
  });

  it('comes in pages, the longest failing first', async () => {
    const { transport } = stage;
    const names = ['Globex', 'Hooli', 'Umbrella'];
    transport.answerWith(() => answered(404));
    const keyIds = [];
    for (const name of names) {
      keyIds.push((await addPartner(name)).keyId);
      await stage.clock.advance(1_000);
      await stage.drain();
    }
    const first = await listFailing({ limit: 2 });
    expect(first.items.map(({ partnerName }) => partnerName)).toEqual(['Globex', 'Hooli']);
    if (first.nextCursor === null) throw new Error('There is another page.');
    const rest = await listFailing({ limit: 2, cursor: first.nextCursor });
    expect(rest.items.map(({ keyId }) => keyId)).toEqual([keyIds[2]]);
    expect(rest.nextCursor).toBeNull();
    await expect(listFailing({ cursor: 'none' })).rejects.toThrow(/cursor must be/);
    await expect(listFailing({ limit: 0 })).rejects.toThrow(/limit must be/);
  });

  it('has the reports of the whole list and of `find`, and the endpoint of acts', async () => {
    const { operator, transport, keyId } = stage;
    transport.answerWith(() => answered(500));
    await stage.record(1);
    await stage.drain();
    const [failing] = (await listFailing()).items;
    const { hours: _, ...found } = (await operator.endpoints.find({ keyId })) ?? {};
    expect(found).toEqual(failing);
    expect((await operator.endpoints.list()).items).toEqual([failing]);
    expect(failing).toMatchObject({ health: { lastFailure: { kind: 'answered', status: 500 } } });
    const { endpoint, changed } = await operator.endpoints.resume({ keyId });
    expect([failing, changed]).toEqual([expect.objectContaining(endpoint), false]);
    await expect(listFailing({ onlyPaused: true })).rejects.toThrow(
      /`onlyPaused` and `onlyFailing` cannot be combined/,
    );
    await operator.endpoints.pause({ keyId });
    expect((await listFailing({ onlyPaused: false })).items).toEqual(
      (await operator.endpoints.list({ onlyPaused: true, onlyFailing: false })).items,
    );
  });
});
