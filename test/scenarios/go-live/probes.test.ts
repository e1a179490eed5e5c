/** The probes of endpoints: certify's checks, sent as deliveries are, only when somebody asks. */

import type { WebhookRequest } from '@partner-hiring/core';
import { createFakeClock } from '@partner-hiring/test-support/clock';
import { createFixture, type Fixture } from '@partner-hiring/test-support/fixture';
import { createTestDatabase, type TestDatabase } from '@partner-hiring/test-support/storages';
import { verifyWebhook } from '@partner-hiring/webhook-verifier';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ReadinessItem } from '../../../packages/core/src/features/readiness/rules.js';
import { GO_LIVE_OPTIONS, type GoLiveStage, joinPlatform, openItems } from './scripted-partner.js';

const MINUTE_MS = 60_000;
const ITEMS = ['endpoint_2xx', 'refused_forged', 'refused_old', 'repeated_event'];

const clock = createFakeClock();
let database: TestDatabase;
let fixture: Fixture;
let other: Fixture;
beforeAll(async () => {
  database = await createTestDatabase();
  const open = async () =>
    createFixture({ ...GO_LIVE_OPTIONS, storage: await database.open(clock) }, {}, clock);
  [fixture, other] = [await open(), await open()];
});
afterAll(async () => {
  await Promise.all([fixture.close(), other.close()]);
  await database.remove();
});

/** Answers as a receiver does that verifies. `change` has its mistakes. */
function receive(
  stage: GoLiveStage,
  change: (
    answer: number,
    facts: { readonly reason: string | null; readonly isRepeated: boolean },
  ) => number = (answer) => answer,
): void {
  const seen = new Set<string>();
  stage.fixture.transport.answerWith(async (request: WebhookRequest) => {
    const secret = stage.partner.signingSecret ?? '';
    const result = await verifyWebhook({ ...request, secret, now: clock.now() });
    if (!result.ok) return change(400, { reason: result.reason, isRepeated: false });
    const isRepeated = seen.has(result.event.id);
    seen.add(result.event.id);
    return change(204, { reason: null, isRepeated });
  });
}

const probe = ({ fixture: own, partner: { keyId } }: Pick<GoLiveStage, 'fixture' | 'partner'>) =>
  own.operator.keys.probe({ id: keyId });

it('an endpoint that verifies proves all its items, with the ids of test events', async () => {
  const stage = await joinPlatform(fixture);
  receive(stage);
  const { results, readiness } = await probe(stage);
  expect(results.map(({ item, isPassed, reason }) => [item, isPassed, reason])).toEqual(
    ITEMS.map((item) => [item, true, null]),
  );
  const proved = readiness.items.filter(({ byProbe }) => byProbe);
  expect(proved.map(({ item, isDone }) => [item, isDone])).toEqual(ITEMS.map((item) => [item, true]));
  expect(proved.every(({ evidence }) => evidence?.firstId.startsWith('evt_0000000000'))).toBe(true);
  expect(readiness.probedAt).toBe(clock.now());
});

const MISTAKES: readonly (readonly [ReadinessItem, RegExp, Parameters<typeof receive>[1]])[] = [
  [
    'refused_forged',
    /signed with a random secret\. .*signing secret of your endpoint/,
    (answer, { reason }) => (reason === 'no_matching_signature' ? 200 : answer),
  ],
  [
    'refused_forged',
    /fails on some bad deliveries instead of rejecting them/,
    (answer, { reason }) => (reason === 'no_matching_signature' ? 500 : answer),
  ],
  [
    'refused_old',
    /signed ten minutes ago\. Reject a t that is more than 300 seconds/,
    (answer, { reason }) => (reason === 'too_old' ? 200 : answer),
  ],
  [
    'repeated_event',
    /rejects an event that it has already accepted\. .*respond with 2xx/,
    (answer, { isRepeated }) => (isRepeated ? 409 : answer),
  ],
];

it.each(MISTAKES)(
  'an endpoint with the mistake of %s leaves only this item open',
  async (item, text, change) => {
    const stage = await joinPlatform(fixture);
    receive(stage, change);
    const { results } = await probe(stage);
    expect(results.filter(({ isPassed }) => !isPassed).map((each) => each.item)).toEqual([item]);
    const open = await openItems(stage);
    expect(Object.keys(open).filter((each) => ITEMS.includes(each))).toEqual([item]);
    expect(open[item]).toMatch(/^The probe failed \(.*\)\. /);
    expect(open[item]).toMatch(text);
    // The partner mends it, and asks again.
    receive(stage);
    await clock.advance(MINUTE_MS);
    await probe(stage);
    expect(await openItems(stage)).not.toHaveProperty(item);
  },
);

it.each([
  ['refuses correct events', 401, /did not answer a correct event with 2xx\. Check the status/],
  ['redirects', 302, /responds with a redirect/],
  [
    'cannot be reached',
    { kind: 'failed', failure: 'connection_failed', message: 'refused' } as const,
    /gave no answer to a correct event/,
  ],
])('an endpoint that %s gets only the first probe', async (_, answer, text) => {
  const stage = await joinPlatform(fixture);
  stage.fixture.transport.answerWith(answer);
  const { results } = await probe(stage);
  expect(results).toMatchObject([{ item: 'endpoint_2xx', isPassed: false }]);
  const open = await openItems(stage);
  expect(open.endpoint_2xx).toMatch(text);
  expect(Object.keys(open).filter((each) => ITEMS.includes(each))).toEqual(ITEMS);
});

it('a failed probe opens an item that was done', async () => {
  const stage = await joinPlatform(fixture);
  receive(stage);
  await probe(stage);
  receive(stage, () => 200);
  await clock.advance(MINUTE_MS);
  await probe(stage);
  expect(Object.keys(await openItems(stage)).filter((each) => ITEMS.includes(each))).toEqual([
    'refused_forged',
    'refused_old',
  ]);
});

it('a second run within a minute is refused with the wait, also in another process and at once', async () => {
  const stage = await joinPlatform(fixture);
  receive(stage);
  const twin = { ...stage, fixture: other };
  const runs = await Promise.allSettled([probe(stage), probe(twin), probe(stage)]);
  expect(runs.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  await clock.advance(18_000);
  const sent = fixture.transport.attempts.length;
  await expect(probe(twin)).rejects.toMatchObject({
    code: 'PROBED_RECENTLY',
    message: expect.stringContaining('Try again in 42 s.'),
  });
  expect(fixture.transport.attempts).toHaveLength(sent);
  await clock.advance(42_000);
  await expect(probe(stage)).resolves.toHaveProperty('results');
});

it('a production key is not probed unless the host allows it', async () => {
  const stage = await joinPlatform(fixture, { sandbox: false });
  await expect(probe(stage)).rejects.toMatchObject({ code: 'ENVIRONMENT_MISMATCH' });
  const allowing = await createFixture(
    { storage: await database.open(clock), goLive: { probeProduction: true } },
    {},
    clock,
  );
  await expect(probe({ ...stage, fixture: allowing })).resolves.toHaveProperty('results');
  await allowing.close();
});

it('probes are audited, leave no delivery, and need an endpoint', async () => {
  const stage = await joinPlatform(fixture);
  const { keyId } = stage.partner;
  receive(stage);
  const before = await fixture.operator.deliveries.list({ keyId });
  await fixture.operator.as({ id: 'ada' }).keys.probe({ id: keyId });
  expect(await fixture.operator.deliveries.list({ keyId })).toEqual(before);
  const { items } = await fixture.operator.audit.list({ object: { kind: 'endpoint', id: keyId }, limit: 1 });
  expect(items.map(({ act, actor }) => [act, actor.id])).toEqual([['keys.probe', 'ada']]);
  const { key } = await fixture.operator.keys.issue({
    partnerId: (await fixture.operator.partners.create({ name: 'No endpoint' })).id,
    environment: 'sandbox',
  });
  await expect(fixture.operator.keys.probe({ id: key.id })).rejects.toMatchObject({
    code: 'ENDPOINT_NOT_FOUND',
  });
});
