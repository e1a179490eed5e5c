/** `GET /events`: what a key can fetch, from when on, and for how long. */

import type { PartnerHiringOptions, Storage } from '@partner-hiring/core';
import { createFakeClock } from '@partner-hiring/test-support/clock';
import { createFixture, type Fixture } from '@partner-hiring/test-support/fixture';
import {
  createEmployer,
  createPartner,
  type Partner,
  send,
  submission,
  WAREHOUSE_JOB,
} from '@partner-hiring/test-support/partner';
import { createTestDatabase, type HostTransaction } from '@partner-hiring/test-support/storages';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../packages/core/src/domain/time.js';

type Options = Partial<PartnerHiringOptions<HostTransaction>>;

const ON: Options = { selfService: { events: true }, limits: { list_events: 1_000_000 } };

interface WireEvent {
  readonly id: string;
  readonly type: string;
  readonly createdAt: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const clock = createFakeClock();
let closers: (() => Promise<void>)[] = [];
let open: (options?: Options) => Promise<Fixture>;
/** The storage of the fixture that was opened last. */
let storage: Storage<HostTransaction>;
beforeEach(async () => {
  const database = await createTestDatabase();
  closers = [() => database.remove()];
  open = async (options = ON) => {
    storage = await database.open(clock);
    const fixture = await createFixture({ storage, ...options }, {}, clock);
    closers.push(fixture.close);
    return fixture;
  };
});
afterEach(async () => {
  for (const close of closers.reverse()) await close();
});

async function eventsOf(partner: Partner, query = ''): Promise<readonly WireEvent[]> {
  const { status, json } = await partner.get(`/events${query}`);
  expect(status).toBe(200);
  return json.data as readonly WireEvent[];
}

const jobsOf = async (partner: Partner) => (await eventsOf(partner)).map(({ data }) => data.jobId);

async function hire({ operator }: Fixture, partner: Partner, jobId: string): Promise<`ej_app_${string}`> {
  const { json } = await partner.submit(submission(jobId, { sourceApplicationId: 'ats-1' }));
  const id = json.id as `ej_app_${string}`;
  await operator.applications.move({ id });
  await operator.applications.decide({ id, decision: 'accepted' });
  return id;
}

describe('recording', () => {
  it('includes the first event of a key that was issued with the option, also without an endpoint', async () => {
    const fixture = await open();
    const partner = await createPartner(fixture, { endpoint: false });
    const { jobId } = await createEmployer(fixture, partner);
    const id = await hire(fixture, partner, jobId);
    const [opened, decided] = await eventsOf(partner, '?updated_since=2000-01-01T00:00:00Z');
    expect(opened).toMatchObject({ type: 'job.opened', data: { jobId } });
    expect(decided).toMatchObject({
      data: { applicationId: id, newStatus: 'accepted', sourceApplicationId: 'ats-1' },
    });
    await fixture.partnerHiring.worker.drain();
    expect(fixture.transport.attempts).toEqual([]);
  });

  it('of older keys begins when a worker with the option starts, in all processes', async () => {
    const plain = await open({});
    const partner = await createPartner(plain, { endpoint: false });
    const { companyId } = await createEmployer(plain, partner);
    const fixture = await open();
    await fixture.partnerHiring.worker.drain();
    const later = await plain.operator.jobs.publish({ companyId, ...WAREHOUSE_JOB });
    const client = at(fixture, partner);
    expect(await jobsOf(client)).toEqual([later.id]);
    const { status, json } = await client.get('/events?updated_since=2000-01-01T00:00:00Z');
    expect([status, json.details]).toMatchObject([422, { errors: [{ field: 'updated_since' }] }]);
  });

  it('of an older key begins with its first GET /events, if no worker has the option', async () => {
    const plain = await open({});
    const partner = await createPartner(plain, { endpoint: false });
    const { companyId } = await createEmployer(plain, partner);
    const fixture = await open();
    const client = at(fixture, partner);
    expect(await jobsOf(client)).toEqual([]);
    const later = await plain.operator.jobs.publish({ companyId, ...WAREHOUSE_JOB });
    expect(await jobsOf(client)).toEqual([later.id]);
  });

  it('ends with `events: false`, and a partner that comes back is told that events may be missing', async () => {
    const fixture = await open();
    const partner = await createPartner(fixture, { endpoint: false });
    const { companyId } = await createEmployer(fixture, partner);
    const { headers } = await partner.get('/events');
    const off = await open({ selfService: { events: false } });
    await off.partnerHiring.worker.drain();
    await off.operator.jobs.publish({ companyId, ...WAREHOUSE_JOB });
    const since = encodeURIComponent(headers.get('x-updated-through') ?? '');
    expect((await partner.get(`/events?updated_since=${since}`)).status).toBe(422);
    expect(await eventsOf(partner)).toEqual([]);
  });

  it('ends when the partner is removed', async () => {
    const fixture = await open();
    const partner = await createPartner(fixture, { endpoint: false });
    const { companyId } = await createEmployer(fixture, partner);
    const { direct } = storage;
    const { keyId } = partner;
    expect(await direct.feed.listRecording(true, 9)).toEqual([keyId]);
    const key = await direct.keys.find(keyId);
    await fixture.operator.partners.remove({ id: key?.partnerId ?? 'ptn_' });
    await fixture.partnerHiring.worker.drain();
    await fixture.operator.jobs.publish({ companyId, ...WAREHOUSE_JOB });
    expect(await direct.feed.listRecording(true, 9)).toEqual([]);
    const [log] = await direct.events.readLogs([{ keyId, after: 0, limit: 9 }]);
    expect(log).toHaveLength(1);
  });
});

describe('the bytes', () => {
  it('are those of the webhook, and an erasure of the source id changes them', async () => {
    const fixture = await open();
    const partner = await createPartner(fixture);
    const { jobId } = await createEmployer(fixture, partner);
    const id = await hire(fixture, partner, jobId);
    await fixture.partnerHiring.worker.drain();
    const bodies = fixture.transport.attempts.map(({ body }) => body);
    expect((await partner.get('/events')).text).toBe(`{"data":[${bodies.join(',')}]}`);
    await fixture.operator.candidates.erase({ applicationId: id, clearSourceApplicationId: true });
    const [, decided] = await eventsOf(partner);
    expect(decided?.data).toMatchObject({ applicationId: id, sourceApplicationId: null });
    expect(JSON.stringify(await eventsOf(partner))).not.toContain('ats-1');
  });
});

describe('an endpoint that is set later', () => {
  it('gets only later events, and no list of the operator shows the earlier ones as delivered', async () => {
    const fixture = await open();
    const partner = await createPartner(fixture, { endpoint: false });
    const { jobId, companyId } = await createEmployer(fixture, partner);
    const { keyId } = partner;
    const [early] = await eventsOf(partner);
    await fixture.operator.endpoints.setUrl({ keyId, url: 'https://ats.example.org/webhooks' });
    const later = await fixture.operator.jobs.publish({ companyId, ...WAREHOUSE_JOB });
    await fixture.partnerHiring.worker.drain();
    expect(fixture.transport.events().map(({ data }) => data.jobId)).toEqual([later.id]);
    expect(await jobsOf(partner)).toEqual([jobId, later.id]);
    const { items } = await fixture.operator.deliveries.list({ keyId });
    expect(items.map(({ eventId }) => eventId)).not.toContain(early?.id);
    expect(items).toHaveLength(1);
    const eventId = early?.id as `evt_${string}`;
    expect(await fixture.operator.deliveries.find({ keyId, eventId })).toBeNull();
    const resent = await fixture.operator.deliveries.resend({ keyId, eventIds: [eventId] });
    expect(resent).toMatchObject({ count: 0, missing: [eventId] });
    await expect(fixture.operator.deliveries.cancel({ keyId, eventId })).rejects.toMatchObject({
      code: 'DELIVERY_NOT_FOUND',
      message: expect.stringContaining('before the key had an endpoint'),
    });
  });
});

describe('retention', () => {
  it('keeps events for 30 days, then says with 422 what to do', async () => {
    const fixture = await open();
    const partner = await createPartner(fixture, { endpoint: false });
    const { companyId } = await createEmployer(fixture, partner);
    const first = await partner.get('/events');
    const since = encodeURIComponent(first.headers.get('x-updated-through') ?? '');
    await fixture.operator.jobs.publish({ companyId, ...WAREHOUSE_JOB });
    const page = await partner.get('/events?limit=1');
    await fixture.pass(29 * DAY_MS, DAY_MS);
    expect(await eventsOf(partner, `?updated_since=${since}`)).toHaveLength(1);
    await fixture.pass(3 * DAY_MS, DAY_MS);
    for (const [query, field] of [
      [`updated_since=${since}`, 'updated_since'],
      [`limit=1&cursor=${String(page.json.next_cursor)}`, 'cursor'],
    ]) {
      const { status, json } = await partner.get(`/events?${query}`);
      const message = expect.stringMatching(
        /Read GET \/jobs and GET \/applications in full, then start again without a cursor/,
      );
      const error = { field, code: 'invalid_cursor', message };
      expect([status, json.error, json.details]).toEqual([422, 'VALIDATION_ERROR', { errors: [error] }]);
    }
    expect(await eventsOf(partner)).toEqual([]);
  });

  it('hides no event, under any order of changes, reads and sweeps', async () => {
    const fixture = await open();
    const partner = await createPartner(fixture, { endpoint: false });
    const { companyId } = await createEmployer(fixture, partner);
    /** When each job was published. */
    const published = new Map<string, number>();
    const seen = new Set<unknown>();
    let since = encodeURIComponent((await partner.get('/events')).headers.get('x-updated-through') ?? '');
    let refusals = 0;

    async function publish(count: number): Promise<void> {
      const jobs = Array.from({ length: count }, () => ({ companyId, ...WAREHOUSE_JOB }));
      for (const { id } of await fixture.operator.jobs.publish(jobs)) published.set(id, clock.now());
    }
    /** Reads at most some pages. Begins again if events may be missing. */
    async function read(pages: number): Promise<void> {
      let query = since === '' ? '' : `&updated_since=${since}`;
      for (let page = 0; page < pages; page += 1) {
        const { status, json, headers } = await partner.get(`/events?limit=2${query}`);
        if (status === 422) {
          // The partner reads GET /jobs, which shows every job up to now, and begins again at once.
          for (const id of published.keys()) seen.add(id);
          refusals += 1;
          since = '';
          return read(pages);
        }
        for (const { data } of json.data as readonly WireEvent[]) seen.add(data.jobId);
        since = encodeURIComponent(headers.get('x-updated-through') ?? '');
        if (json.next_cursor === undefined) return;
        query = `&updated_since=${since}`;
      }
    }
    const step = fc.oneof(
      fc.nat({ max: 3 }).map((count) => () => publish(count + 1)),
      fc.constantFrom(1, 16, 31).map((days) => () => fixture.pass(days * DAY_MS)),
      fc.nat({ max: 3 }).map((pages) => () => read(pages + 1)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 12 }), async (steps) => {
        for (const run of steps) await run();
        await read(1_000);
        for (const id of published.keys()) expect(seen).toContain(id);
      }),
      { numRuns: 12 },
    );
    expect(refusals).toBeGreaterThan(0);
  });
});

/** The partner, whose requests go to this process. */
function at(fixture: Fixture, partner: Partner): Partner {
  const headers = { authorization: `Bearer ${partner.secret}` };
  return { ...partner, get: (path) => send(fixture, 'GET', path, { headers }) };
}
