/** What a key proves for its go-live: by real requests and events. */

import { createFixture } from '@partner-hiring/test-support/fixture';
import { afterAll, expect, it } from 'vitest';
import type { ReadinessItem } from '../../../packages/core/src/features/readiness/rules.js';
import { GO_LIVE_OPTIONS, joinPlatform, openItems, play, STEPS } from './scripted-partner.js';

const fixture = await createFixture(GO_LIVE_OPTIONS);
afterAll(() => fixture.close());

const PROBED = ['refused_forged', 'refused_old'];

it('a partner that has done nothing has only open items, each with its reason and how to get it', async () => {
  const { partner } = await joinPlatform(fixture);
  const { items, probedAt } = await fixture.operator.keys.readiness({ id: partner.keyId });
  expect(probedAt).toBeNull();
  expect(items.length).toBeGreaterThan(10);
  for (const { isDone, isRequired, evidence, reason, how } of items) {
    expect([isDone, isRequired, evidence]).toEqual([false, false, null]);
    expect([reason, how]).toEqual([expect.stringMatching(/^No |^The /), expect.stringMatching(/\.$/)]);
  }
});

it('a partner that does everything right has all items, each with its evidence', async () => {
  const stage = await joinPlatform(fixture);
  await play(stage);
  const { items } = await fixture.operator.keys.readiness({ id: stage.partner.keyId });
  for (const { item, isDone, evidence, reason } of items) {
    if (PROBED.includes(item)) continue;
    expect([item, isDone, reason]).toEqual([item, true, null]);
    expect(evidence?.firstAt).toBeLessThanOrEqual(evidence?.lastAt ?? 0);
    if (evidence?.kind === 'event') expect(evidence.firstId).toMatch(/^evt_/);
  }
});

it.each(Object.entries(STEPS))(
  'a partner that makes the mistake of %s leaves this item open, and what needs it',
  async (item, { blocks = [] }) => {
    const stage = await joinPlatform(fixture);
    await play(stage, item as ReadinessItem);
    const open = Object.keys(await openItems(stage)).filter((each) => !PROBED.includes(each));
    expect(open.toSorted()).toEqual([item, ...blocks].toSorted());
  },
);

it('an error without a later success says when it was', async () => {
  const stage = await joinPlatform(fixture);
  await stage.partner.submit({});
  const at = new Date(fixture.clock.now()).toISOString().slice(0, 19);
  expect((await openItems(stage)).recovered_422).toBe(
    `A request got 422 (${at}Z). No later request has succeeded.`,
  );
});

it('the evidence names the request, its first instant and its last', async () => {
  const stage = await joinPlatform(fixture);
  const evidence = async () => {
    const { items } = await fixture.operator.keys.readiness({ id: stage.partner.keyId });
    return items.find(({ item }) => item === 'applications_read')?.evidence;
  };
  const read = async () => (await stage.partner.get('/applications')).headers.get('x-request-id');
  const [firstAt, firstId] = [fixture.clock.now(), await read()];
  const first = { kind: 'request', firstAt, firstId };
  await fixture.clock.advance(59 * 60_000);
  await read();
  expect(await evidence()).toEqual({ ...first, lastAt: firstAt, lastId: firstId });
  await fixture.clock.advance(60_000);
  const lastId = await read();
  expect(await evidence()).toEqual({ ...first, lastAt: fixture.clock.now(), lastId });
});

it('the checklist of a production key has no item about the sandbox, and keys prove apart', async () => {
  const sandbox = await joinPlatform(fixture);
  const found = await fixture.operator.keys.find({ id: sandbox.partner.keyId });
  const partnerId = found?.key.partnerId ?? 'ptn_none';
  const production = await joinPlatform(fixture, { sandbox: false, partnerId });
  await play(production);
  const { items } = await fixture.operator.keys.readiness({ id: production.partner.keyId });
  expect(items.map(({ item }) => item)).not.toContain('submitted');
  expect(items.filter(({ isDone }) => !isDone).map(({ item }) => item)).toEqual(PROBED);
  // Its endpoint has also got an event.
  const others = [...items.map(({ item }) => item), 'submitted'].filter((item) => item !== 'endpoint_2xx');
  expect(Object.keys(await openItems(sandbox)).toSorted()).toEqual(others.toSorted());
});

it('an invalid key, a HEAD and a refused page are no evidence', async () => {
  const stage = await joinPlatform(fixture);
  const before = await openItems(stage);
  await stage.partner.request('GET', '/jobs?updated_since=2026-01-01T00:00:00Z', {
    headers: { authorization: 'Bearer pek_test_wrong' },
  });
  await stage.partner.request('HEAD', '/applications');
  await stage.partner.get('/jobs?cursor=nonsense&updated_since=yesterday');
  const { recovered_422: reason, ...others } = await openItems(stage);
  expect(reason).toMatch(/^A request got 422/);
  const { recovered_422: _, ...othersBefore } = before;
  expect(others).toEqual(othersBefore);
});

it('an unknown key is an error', async () => {
  await expect(fixture.operator.keys.readiness({ id: 'key_none' })).rejects.toMatchObject({
    code: 'KEY_NOT_FOUND',
  });
});
