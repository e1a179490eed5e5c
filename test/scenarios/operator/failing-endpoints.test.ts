/** Which endpoints fail, since when and why. */
import { perTest } from '@partner-hiring/test-support/per-test';
import { answered, UNREACHABLE } from '@partner-hiring/test-support/transport';
import { describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../packages/core/src/domain/time.js';
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

describe('the list of failing endpoints', () => {
  it('has the partner, since when, the last error, the failures and what waits, until the next success', async () => {
    const { operator, clock, transport } = stage;
    const { keyId, partnerId } = await addPartner('Globex');
    await stage.drain();
    expect(await operator.endpoints.listFailing()).toEqual({ items: [], nextCursor: null });
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
    expect((await operator.endpoints.listFailing()).items).toMatchObject([
      { ...expected, health: { ...health, lastFailure: { kind: 'failed', failure: 'connection_failed' } } },
    ]);

    await operator.endpoints.pause({ keyId });
    expect((await operator.endpoints.listFailing()).items).toMatchObject([
      { health, counts: { paused: 3 }, state: { kind: 'paused', reason: 'operator' } },
    ]);
    await operator.endpoints.resume({ keyId });
    expect((await operator.endpoints.listFailing()).items).toEqual([]);
    await stage.drain();
    expect((await operator.endpoints.listFailing()).items).toHaveLength(1);
    transport.answerWith(() => answered(200));
    await stage.pass(HOUR_MS);
    expect((await operator.endpoints.listFailing()).items).toEqual([]);
  });

  it('comes in pages, the longest failing first', async () => {
    const { operator, transport } = stage;
    const names = ['Globex', 'Hooli', 'Umbrella'];
    transport.answerWith(() => answered(404));
    const keyIds = [];
    for (const name of names) {
      keyIds.push((await addPartner(name)).keyId);
      await stage.clock.advance(1_000);
      await stage.drain();
    }
    const first = await operator.endpoints.listFailing({ limit: 2 });
    expect(first.items.map(({ partnerName }) => partnerName)).toEqual(['Globex', 'Hooli']);
    if (first.nextCursor === null) throw new Error('There is another page.');
    const rest = await operator.endpoints.listFailing({ limit: 2, cursor: first.nextCursor });
    expect(rest.items.map(({ keyId }) => keyId)).toEqual([keyIds[2]]);
    expect(rest.nextCursor).toBeNull();
    await expect(operator.endpoints.listFailing({ cursor: 'none' })).rejects.toThrow(/cursor must be/);
    await expect(operator.endpoints.listFailing({ limit: 0 })).rejects.toThrow(/limit must be/);
  });

  it('has the reports of `list` and `health`, and the endpoint of `find` and of acts', async () => {
    const { operator, transport, keyId } = stage;
    transport.answerWith(() => answered(500));
    await stage.record(1);
    await stage.drain();
    const [failing] = (await operator.endpoints.listFailing()).items;
    expect(await operator.endpoints.health({ keyId })).toEqual(failing);
    expect((await operator.endpoints.list()).items).toEqual([failing]);
    const { partnerId: _, partnerName: __, keyLabel: ___, counts: ____, ...endpoint } = { ...failing };
    expect(endpoint).toMatchObject({ health: { lastFailure: { kind: 'answered', status: 500 } } });
    expect(await operator.endpoints.find({ keyId })).toEqual(endpoint);
    expect(await operator.endpoints.resume({ keyId })).toMatchObject({ endpoint, changed: false });
  });
});
