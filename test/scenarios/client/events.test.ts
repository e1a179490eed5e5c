/** The client's events: each once, also when the service has deleted some. */
import { createMemorySyncStore, type FetchedEvent } from '@partner-hiring/client';
import { WAREHOUSE_JOB } from '@partner-hiring/test-support/partner';
import type { PartnerEvent } from '@partner-hiring/webhook-verifier';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { withStatus } from './network.js';
import { type ClientStage, openClientStage } from './stage.js';

const DAY_MS = 24 * 60 * 60 * 1_000;

let stage: ClientStage;
let publish: () => Promise<string>;
beforeEach(async () => {
  stage = await openClientStage({ selfService: { events: true } });
  const { companyId } = await stage.employer();
  publish = async () => (await stage.fixture.operator.jobs.publish({ companyId, ...WAREHOUSE_JOB })).id;
});
afterEach(() => stage.close());

const jobsOf = (events: Iterable<FetchedEvent>) => [...events].map(({ data }) => data.jobId);

it('lists events of a type, and continues after the last ones', async () => {
  const client = stage.client();
  const id = await publish();
  const listed: FetchedEvent[] = [];
  for await (const event of client.events.list({ type: 'job.opened', limit: 1 })) listed.push(event);
  expect(jobsOf(listed).at(-1)).toBe(id);
  expect(listed.at(-1)).toMatchObject({
    type: 'job.opened',
    apiVersion: 'v1',
    data: { title: WAREHOUSE_JOB.title },
  });
  for await (const event of client.events.list({ type: 'job.closed' })) expect(event).toBeNull();

  const store = createMemorySyncStore<FetchedEvent>();
  const onMissing = () => expect.unreachable();
  expect(await client.events.sync({ store, onMissing })).toMatchObject({ events: 2, mayHaveMissed: false });
  expect(await client.events.sync({ store, onMissing })).toMatchObject({ events: 0 });
  const next = await publish();
  expect(await client.events.sync({ store, onMissing })).toMatchObject({ events: 1 });
  expect(jobsOf(store.rows.values()).at(-1)).toBe(next);
});

it('calls onMissing if events may be missing, until it succeeds, and then begins again', async () => {
  const client = stage.client();
  const store = createMemorySyncStore<FetchedEvent>();
  let calls = 0;
  const onMissing = async () => {
    calls += 1;
    if (calls === 1) throw new Error('The lists cannot be read.');
  };
  await client.events.sync({ store, onMissing });
  await publish();
  await stage.fixture.pass(32 * DAY_MS, DAY_MS);
  const kept = await publish();
  await expect(client.events.sync({ store, onMissing })).rejects.toThrow('The lists cannot be read.');
  const report = await client.events.sync({ store, onMissing });
  expect(report).toMatchObject({ events: 1, mayHaveMissed: true });
  expect([calls, jobsOf(store.rows.values()).at(-1)]).toEqual([2, kept]);
});

it('handles each event before it stores the position behind it, and an event that failed again', async () => {
  const client = stage.client();
  const store = createMemorySyncStore<FetchedEvent>();
  const onMissing = () => expect.unreachable();
  const ids = [await publish(), await publish()];
  const handled: unknown[] = [];
  let isBroken = true;
  const handle = async ({ data }: FetchedEvent) => {
    if (isBroken && data.jobId === ids[1]) throw new Error('The database is away.');
    handled.push(data.jobId);
    expect(await store.readState()).toBeNull();
  };
  await expect(client.events.each({ store, onMissing }, handle)).rejects.toThrow('The database is away.');
  expect(await store.readState()).toBeNull();
  isBroken = false;
  const report = await client.events.each({ store, onMissing }, handle);
  expect(handled.slice(-2)).toEqual(ids);
  expect(handled.filter((id) => id === ids[0])).toHaveLength(2);
  expect(await store.readState()).toMatchObject({ updatedThrough: report.updatedThrough });
  expect(await client.events.each({ store, onMissing }, () => expect.unreachable())).toMatchObject({
    events: 0,
  });
  expect(store.rows.size).toBe(0);
});

it('refuses a known event without its fields, and takes one of a new type', async () => {
  const client = stage.client({ maxAttempts: 1 });
  const event = { id: 'evt_1', type: 'job.closed', createdAt: '2026-11-21T10:15:30.123Z', apiVersion: 'v1' };
  const list = async (data: object, type = event.type) => {
    stage.intercept(() => withStatus(200, JSON.stringify({ data: [{ ...event, type, data }] })));
    const found: FetchedEvent[] = [];
    for await (const each of client.events.list()) found.push(each);
    return found;
  };
  await expect(list({ jobId: 'job_1', companyId: 'co_1' })).rejects.toThrow(
    'data.reason of row 1 must be text',
  );
  expect(await list({ until: 'later' }, 'job.paused')).toHaveLength(1);
});

it('gives the same type of event as the verifier', () => {
  const ofVerifier = (event: FetchedEvent): PartnerEvent => event;
  const ofClient = (event: PartnerEvent): FetchedEvent => event;
  expect([ofVerifier, ofClient]).toHaveLength(2);
});
