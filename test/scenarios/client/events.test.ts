/** The client's events: each once, also when the service has deleted some. */
import { createMemorySyncStore, type FetchedEvent } from '@partner-hiring/client';
import { WAREHOUSE_JOB } from '@partner-hiring/test-support/partner';
import { afterEach, beforeEach, expect, it } from 'vitest';
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
