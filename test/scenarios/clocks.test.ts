/** Replicas on one database whose machines disagree about the time: the storage's time is what partners see. */
import { randomUUID } from 'node:crypto';
import type { Repositories, TimeRepository } from '@partner-hiring/core/ports';
import { createFakeClock, type FakeClock, settle, skewClock } from '@partner-hiring/test-support/clock';
import { createFixture, type Fixture } from '@partner-hiring/test-support/fixture';
import {
  BASE_PATH,
  createEmployer,
  createPartner,
  type Partner,
  type Reply,
  send,
  submission,
} from '@partner-hiring/test-support/partner';
import { createRecordingTelemetry } from '@partner-hiring/test-support/recording-telemetry';
import { createTestDatabase, type TestDatabase } from '@partner-hiring/test-support/storages';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { verifyWebhook } from '../../packages/webhook-verifier/src/index.js';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

let clock: FakeClock;
let database: TestDatabase;
let worlds: Fixture[];
let inStep: Fixture;
let partner: Partner;
let employer: Awaited<ReturnType<typeof createEmployer>>;
beforeEach(async () => {
  clock = createFakeClock();
  database = await createTestDatabase();
  worlds = [];
  inStep = await replica(0);
  partner = await createPartner(inStep);
  employer = await createEmployer(inStep, partner);
});
afterEach(async () => {
  await Promise.all(worlds.map((fixture) => fixture.close()));
  await database.remove();
});

/** A replica whose machine is so far ahead of the storage; below 0, behind. */
async function replica(aheadMs: number, options: Parameters<typeof createFixture>[0] = {}): Promise<Fixture> {
  const { storage = await database.open(clock) } = options;
  const fixture = await createFixture({ ...options, storage }, {}, skewClock(clock, aheadMs));
  worlds.push(fixture);
  return fixture;
}

function get(fixture: Fixture, path: string, secret = partner.secret): Promise<Reply> {
  return send(fixture, 'GET', path, { headers: { authorization: `Bearer ${secret}` } });
}

function submit(fixture: Fixture, idempotencyKey: string = randomUUID()): Promise<Reply> {
  return send(fixture, 'POST', '/applications', {
    body: JSON.stringify(submission(employer.jobId)),
    headers: {
      authorization: `Bearer ${partner.secret}`,
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey,
    },
  });
}

const iso = (at: number) => new Date(at).toISOString();

/** The rows of a list. */
function rowsOf({ json }: Reply): readonly Readonly<Record<string, unknown>>[] {
  return json.data as readonly Readonly<Record<string, unknown>>[];
}

/** Checks that an instant as partners read it is the storage's, but for the milliseconds that stamps run ahead. */
function expectNow(text: unknown): void {
  expect(Math.abs(Date.parse(String(text)) - clock.now())).toBeLessThan(SECOND_MS);
}

describe('a secret', () => {
  it.each([-5 * MINUTE_MS, 25 * HOUR_MS])(
    'that was replaced at once elsewhere is refused at once by a replica %i ms off',
    async (aheadMs) => {
      const other = await replica(aheadMs);
      expect((await get(other, '/jobs')).status).toBe(200);
      const { secret } = await inStep.operator.keys.rotate({ keyId: partner.keyId, overlapMs: 0 });
      expect((await get(other, '/jobs')).status).toBe(401);
      expect((await get(other, '/jobs', secret)).status).toBe(200);
    },
  );

  it.each([-5 * MINUTE_MS, 25 * HOUR_MS])(
    'that was revoked elsewhere is refused at once by a replica %i ms off',
    async (aheadMs) => {
      const other = await replica(aheadMs);
      expect((await get(other, '/jobs')).status).toBe(200);
      await inStep.operator.keys.revoke({ keyId: partner.keyId, all: true });
      expect((await get(other, '/jobs')).status).toBe(401);
    },
  );

  it.each([-DAY_MS, DAY_MS])(
    'that a replica %i ms off replaced works for its overlap and no longer, on every replica',
    async (aheadMs) => {
      const other = await replica(aheadMs);
      const { secret } = await other.operator.keys.rotate({ keyId: partner.keyId, overlapMs: HOUR_MS });
      const ask = () =>
        Promise.all([inStep, other].map(async (fixture) => (await get(fixture, '/jobs')).status));
      await clock.advance(HOUR_MS - 1);
      expect(await ask()).toEqual([200, 200]);
      await clock.advance(1);
      expect(await ask()).toEqual([401, 401]);
      expect((await get(other, '/jobs', secret)).status).toBe(200);
      for (const { operator } of [inStep, other]) {
        const view = await operator.keys.find({ keyId: partner.keyId });
        expect(view?.secrets.map(({ state }) => state).sort()).toEqual(['current', 'expired']);
      }
    },
  );

  it('is noted as used at the storage’s time', async () => {
    const ahead = await replica(DAY_MS);
    await get(ahead, '/jobs');
    const view = await inStep.operator.keys.find({ keyId: partner.keyId });
    expect(view?.secrets[0]?.lastUsedAt).toBe(clock.now());
  });
});

describe('a submission', () => {
  it('that was accepted elsewhere is replayed by a replica that is 25 hours ahead', async () => {
    const ahead = await replica(25 * HOUR_MS);
    const key = randomUUID();
    const first = await submit(inStep, key);
    expect(first.status).toBe(201);
    const again = await submit(ahead, key);
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(rowsOf(await get(inStep, '/applications'))).toHaveLength(1);
  });

  it.each([-25 * HOUR_MS, 25 * HOUR_MS])(
    'to a replica %i ms off binds its key for 24 hours of the storage, on every replica',
    async (aheadMs) => {
      const other = await replica(aheadMs);
      const key = randomUUID();
      const first = await submit(other, key);
      await clock.advance(DAY_MS - 1);
      for (const fixture of [inStep, other]) expect((await submit(fixture, key)).text).toBe(first.text);
      await clock.advance(1);
      const second = await submit(other, key);
      expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([201, null]);
      expect(second.text).not.toBe(first.text);
    },
  );

  it.each([-25 * HOUR_MS, 25 * HOUR_MS])(
    'to a replica %i ms off gets its stamps from the storage’s time',
    async (aheadMs) => {
      const other = await replica(aheadMs);
      // Else the stamps of the employer, which run ahead by a millisecond each, are what it goes on from.
      await clock.advance(SECOND_MS);
      const { json } = await submit(other);
      expect(json.createdAt).toBe(iso(clock.now()));
      const list = await get(other, '/applications');
      expect(rowsOf(list)).toMatchObject([
        { submittedAt: iso(clock.now()), lastStatusChangeAt: iso(clock.now()) },
      ]);
      expect(list.headers.get('x-updated-through')).toBe(iso(clock.now()));
      const next = await submit(inStep);
      expect(next.json.createdAt, 'right behind it in the feed').toBe(iso(clock.now() + 1));
    },
  );

  it.each([-25 * HOUR_MS, 25 * HOUR_MS])(
    'with a résumé to a replica %i ms off has it fetched at once',
    async (aheadMs) => {
      const other = await replica(aheadMs);
      const body = submission(employer.jobId, { resumeUrl: 'https://files.example/cv.pdf' });
      const sent = await send(other, 'POST', '/applications', {
        body: JSON.stringify(body),
        headers: {
          authorization: `Bearer ${partner.secret}`,
          'content-type': 'application/json',
          'idempotency-key': randomUUID(),
        },
      });
      const id = String(sent.json.id) as `ej_app_${string}`;
      const storage = await database.open(clock);
      const claimed = await storage.direct.resumeFiles.claim({ token: 'mine', forMs: 1 }, clock.now(), 1);
      expect(claimed).toMatchObject([{ applicationId: id, dueAt: clock.now() }]);
      await storage.close();
    },
  );
});

describe.each([-DAY_MS, DAY_MS])('an operator on a replica %i ms off', (aheadMs) => {
  let other: Fixture;
  beforeEach(async () => {
    other = await replica(aheadMs);
    await clock.advance(SECOND_MS);
  });

  it('enables bootstrap mode for 24 hours of the storage', async () => {
    const { keyId } = partner;
    const { companyId } = employer;
    const { access } = await other.operator.access.enableBootstrap({ keyId, companyId });
    expect(access.bootstrapUntil).toBe(clock.now() + DAY_MS);
    const limit = async () =>
      Promise.all(
        [inStep, other].map(async (fixture) => (await submit(fixture)).headers.get('x-ratelimit-limit')),
      );
    await clock.advance(DAY_MS - 1);
    expect(await limit()).toEqual(['50', '50']);
    await clock.advance(1);
    expect(await limit()).toEqual(['10', '10']);
  });

  it('stamps and dates what it does by the storage’s time', async () => {
    const { operator } = other;
    const job = await operator.jobs.publish({
      companyId: employer.companyId,
      title: 'Cook',
      location: { city: 'Reno', state: 'NV', country: 'US' },
      compensation: { currency: 'USD' },
    });
    expect(job.createdAt).toBe(clock.now());
    const jobs = await get(inStep, '/jobs');
    expectNow(rowsOf(jobs).find(({ id }) => id === job.id)?.updatedAt);
    expectNow(jobs.headers.get('x-updated-through'));

    const added = await operator.partners.create({ name: 'Other ATS' });
    expect(added.createdAt).toBe(clock.now());
    const company = await operator.companies.create({ name: 'Globex', environment: 'production' });
    expect(company.createdAt).toBe(clock.now());
    const issued = await operator.keys.issue({ partnerId: added.id, environment: 'production' });
    expect(issued.key.createdAt).toBe(clock.now());
    const { access } = await operator.access.grant({ keyId: issued.key.id, companyId: company.id });
    expect(access.grantedAt).toBe(clock.now());
    const { endpoint } = await operator.endpoints.setUrl({
      keyId: issued.key.id,
      url: 'https://other.example/hooks',
    });
    expect(endpoint.createdAt).toBe(clock.now());
    const paused = await operator.endpoints.pause({ keyId: issued.key.id });
    expect(paused.endpoint.state).toMatchObject({ pausedAt: clock.now() });
  });

  it('decides at the storage’s time, and so says the event that the partner gets', async () => {
    const { json } = await submit(inStep);
    const id = String(json.id) as `ej_app_${string}`;
    await other.operator.applications.beginEvaluation({ id });
    await clock.advance(MINUTE_MS);
    await other.operator.applications.decide({ id, decision: 'accepted' });
    await other.partnerHiring.worker.drain();
    const event = other.transport.events().find(({ type }) => type === 'application.status_changed');
    expect(event).toMatchObject({ createdAt: iso(clock.now()), data: { occurredAt: iso(clock.now()) } });
    const rows = rowsOf(await get(inStep, '/applications'));
    expect(rows).toMatchObject([{ status: 'accepted', lastStatusChangeAt: iso(clock.now()) }]);
  });

  it('does the same within the host’s transaction', async () => {
    const host = await database.host();
    await host.run('begin');
    const { access } = other.operator.within(host.tx);
    const { keyId } = partner;
    const enabled = await access.enableBootstrap({ keyId, companyId: employer.companyId });
    await host.run('commit');
    await host.close();
    expect(enabled.access.bootstrapUntil).toBe(clock.now() + DAY_MS);
  });

  it('counts what waits, and for how long, by the storage’s time', async () => {
    const { overall } = await inStep.operator.deliveries.count();
    expect(overall).toMatchObject({ due: 1, oldestDueMs: expect.any(Number) });
    expect((await other.operator.deliveries.count()).overall).toEqual(overall);
  });

  it('sends a test delivery whose signature the partner accepts', async () => {
    await other.operator.endpoints.test({ keyId: partner.keyId });
    const [sent] = other.transport.attempts;
    if (sent === undefined) throw new Error('Nothing was sent.');
    const secret = partner.signingSecret ?? '';
    const verified = await verifyWebhook({
      body: Buffer.from(sent.body),
      headers: { ...sent.headers },
      secret,
      now: clock.now(),
    });
    expect(verified).toMatchObject({ ok: true, event: { createdAt: iso(clock.now()) } });
  });
});

it.each([-DAY_MS, DAY_MS])(
  'a replica %i ms off measures backlog and latency on the storage’s time',
  async (aheadMs) => {
    const telemetry = createRecordingTelemetry();
    const { partnerHiring } = await replica(aheadMs, { telemetry });
    await clock.advance(90 * SECOND_MS);
    expect(await telemetry.collect()).toMatchObject({
      'partner_hiring.delivery.due {event}': 1,
      'partner_hiring.delivery.due.age s': expect.closeTo(90, 0),
    });
    await partnerHiring.worker.drain();
    const latency = telemetry.measured.find(({ name }) => name === 'partner_hiring.delivery.latency');
    expect(latency?.value).toBeCloseTo(90, 0);
  },
);

describe('reading the storage’s time', () => {
  /** A replica a day ahead, and how often it has asked for the time and nothing else. */
  async function countingReplica() {
    const storage = await database.open(clock);
    let reads = 0;
    const counted = ({ time }: Repositories): TimeRepository => ({
      now: () => {
        reads += 1;
        return time.now();
      },
    });
    const { direct, transaction } = storage;
    const counting: typeof storage = {
      ...storage,
      direct: { ...direct, time: counted(direct) },
      transaction: (work) => transaction((tx) => work({ ...tx, time: counted(tx) })),
    };
    return { fixture: await replica(DAY_MS, { storage: counting }), reads: () => reads };
  }

  it('takes requests no statement of its own: the time comes with the secret', async () => {
    const { fixture, reads } = await countingReplica();
    for (let round = 0; round < 3; round += 1) {
      await clock.advance(HOUR_MS);
      expect((await submit(fixture)).json.createdAt).toBe(iso(clock.now()));
      expect((await get(fixture, '/applications')).status).toBe(200);
    }
    expect(reads()).toBe(0);
  });

  it('takes commands one statement a second, however many there are', async () => {
    const { fixture, reads } = await countingReplica();
    const { companies, access, keys } = fixture.operator;
    const target = { keyId: partner.keyId, companyId: employer.companyId };
    for (let second = 1; second <= 3; second += 1) {
      await companies.create({ name: 'Globex', environment: 'production' });
      await access.enableBootstrap(target);
      await keys.find({ keyId: partner.keyId });
      await keys.list();
      expect(reads()).toBe(second);
      await clock.advance(SECOND_MS);
    }
  });

  it('is done again for a body that comes long after its head', async () => {
    const { fixture, reads } = await countingReplica();
    let send: (bytes: Uint8Array) => void = () => {};
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        send = (bytes) => {
          controller.enqueue(bytes);
          controller.close();
        };
      },
    });
    const reply = fixture.partnerHiring.fetch(
      new Request(`http://api.test${BASE_PATH}/applications`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${partner.secret}`,
          'content-type': 'application/json',
          'idempotency-key': randomUUID(),
        },
        body,
        duplex: 'half',
      }),
    );
    await settle();
    await clock.advance(20 * SECOND_MS);
    send(Buffer.from(JSON.stringify(submission(employer.jobId))));
    expect((await reply).status).toBe(201);
    expect(reads()).toBe(1);
  });
});
