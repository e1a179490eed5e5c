/** Replicas on one database whose machines disagree about the time: the storage's time is what partners see. */
import { randomUUID } from 'node:crypto';
import type { Fixture } from '@partner-hiring/test-support/fixture';
import type { Reply } from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import { createRecordingTelemetry } from '@partner-hiring/test-support/telemetry';
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../packages/core/src/domain/time.js';
import { verifyWebhook } from '../../packages/webhook-verifier/src/index.js';
import { openSkewedReplicas } from './skewed-replicas.js';

const stage = perTest(openSkewedReplicas, ({ close }) => close());

const iso = (at: number) => new Date(at).toISOString();

/** The rows of a list. */
function rowsOf({ json }: Reply): readonly Readonly<Record<string, unknown>>[] {
  return json.data as readonly Readonly<Record<string, unknown>>[];
}

/** Checks that an instant as partners read it is the storage's, but for the milliseconds that stamps run ahead. */
function expectNow(text: unknown): void {
  expect(Math.abs(Date.parse(String(text)) - stage.clock.now())).toBeLessThan(SECOND_MS);
}

describe('a secret', () => {
  it.each([-5 * MINUTE_MS, 25 * HOUR_MS])(
    'that was replaced at once elsewhere is refused at once by a replica %i ms off',
    async (aheadMs) => {
      const other = await stage.replica(aheadMs);
      expect((await stage.get(other, '/jobs')).status).toBe(200);
      const { secret } = await stage.inStep.operator.keys.rotate({
        id: stage.partner.keyId,
        overlapMs: 0,
      });
      expect((await stage.get(other, '/jobs')).status).toBe(401);
      expect((await stage.get(other, '/jobs', secret)).status).toBe(200);
    },
  );

  it.each([-5 * MINUTE_MS, 25 * HOUR_MS])(
    'that was revoked elsewhere is refused at once by a replica %i ms off',
    async (aheadMs) => {
      const other = await stage.replica(aheadMs);
      expect((await stage.get(other, '/jobs')).status).toBe(200);
      await stage.inStep.operator.keys.revoke({ id: stage.partner.keyId, all: true });
      expect((await stage.get(other, '/jobs')).status).toBe(401);
    },
  );

  it.each([-DAY_MS, DAY_MS])(
    'that a replica %i ms off replaced works for its overlap and no longer, on every replica',
    async (aheadMs) => {
      const other = await stage.replica(aheadMs);
      const { secret } = await other.operator.keys.rotate({ id: stage.partner.keyId, overlapMs: HOUR_MS });
      const ask = () =>
        Promise.all([stage.inStep, other].map(async (fixture) => (await stage.get(fixture, '/jobs')).status));
      await stage.clock.advance(HOUR_MS - 1);
      expect(await ask()).toEqual([200, 200]);
      await stage.clock.advance(1);
      expect(await ask()).toEqual([401, 401]);
      expect((await stage.get(other, '/jobs', secret)).status).toBe(200);
      for (const { operator } of [stage.inStep, other]) {
        const view = await operator.keys.find({ id: stage.partner.keyId });
        expect(view?.secrets.map(({ state }) => state).sort()).toEqual(['current', 'expired']);
      }
    },
  );

  it('is noted as used at the storage’s time', async () => {
    const ahead = await stage.replica(DAY_MS);
    await stage.get(ahead, '/jobs');
    const view = await stage.inStep.operator.keys.find({ id: stage.partner.keyId });
    expect(view?.secrets[0]?.lastUsedAt).toBe(stage.clock.now());
  });
});

describe('a submission', () => {
  it('that was accepted elsewhere is replayed by a replica that is 25 hours ahead', async () => {
    const ahead = await stage.replica(25 * HOUR_MS);
    const key = randomUUID();
    const first = await stage.submit(stage.inStep, key);
    expect(first.status).toBe(201);
    const again = await stage.submit(ahead, key);
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(rowsOf(await stage.get(stage.inStep, '/applications'))).toHaveLength(1);
  });

  it.each([-25 * HOUR_MS, 25 * HOUR_MS])(
    'to a replica %i ms off binds its key for 24 hours of the storage, on every replica',
    async (aheadMs) => {
      const other = await stage.replica(aheadMs);
      const key = randomUUID();
      const first = await stage.submit(other, key);
      await stage.clock.advance(DAY_MS - 1);
      for (const fixture of [stage.inStep, other])
        expect((await stage.submit(fixture, key)).text).toBe(first.text);
      await stage.clock.advance(1);
      const second = await stage.submit(other, key);
      expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([201, null]);
      expect(second.text).not.toBe(first.text);
    },
  );

  it.each([-25 * HOUR_MS, 25 * HOUR_MS])(
    'to a replica %i ms off gets its stamps from the storage’s time',
    async (aheadMs) => {
      const other = await stage.replica(aheadMs);
      // Else the stamps of the employer, which run ahead by a millisecond each, are what it goes on from.
      await stage.clock.advance(SECOND_MS);
      const { json } = await stage.submit(other);
      expect(json.createdAt).toBe(iso(stage.clock.now()));
      const list = await stage.get(other, '/applications');
      expect(rowsOf(list)).toMatchObject([
        { submittedAt: iso(stage.clock.now()), lastStatusChangeAt: iso(stage.clock.now()) },
      ]);
      expect(list.headers.get('x-updated-through')).toBe(iso(stage.clock.now()));
      const next = await stage.submit(stage.inStep);
      expect(next.json.createdAt, 'right behind it in the feed').toBe(iso(stage.clock.now() + 1));
    },
  );

  it.each([-25 * HOUR_MS, 25 * HOUR_MS])(
    'with a résumé to a replica %i ms off has it fetched at once',
    async (aheadMs) => {
      const other = await stage.replica(aheadMs);
      const resumeUrl = 'https://files.example/cv.pdf';
      const sent = await stage.submit(other, randomUUID(), { resumeUrl });
      const id = String(sent.json.id) as `ej_app_${string}`;
      const storage = await stage.database.open(stage.clock);
      const claimed = await storage.direct.resumeFiles.claim(
        { token: 'mine', forMs: 1 },
        stage.clock.now(),
        1,
      );
      expect(claimed).toMatchObject([{ applicationId: id, dueAt: stage.clock.now() }]);
      await storage.close();
    },
  );
});

describe.each([-DAY_MS, DAY_MS])('an operator on a replica %i ms off', (aheadMs) => {
  let other: Fixture;
  beforeEach(async () => {
    other = await stage.replica(aheadMs);
    await stage.clock.advance(SECOND_MS);
  });

  it('enables bootstrap mode for 24 hours of the storage', async () => {
    const { keyId } = stage.partner;
    const { companyId } = stage.employer;
    const { access } = await other.operator.access.raiseLimit({ keyId, companyId });
    expect(access.bootstrapUntil).toBe(stage.clock.now() + DAY_MS);
    const limit = async () =>
      Promise.all(
        [stage.inStep, other].map(async (fixture) =>
          (await stage.submit(fixture)).headers.get('x-ratelimit-limit'),
        ),
      );
    await stage.clock.advance(DAY_MS - 1);
    expect(await limit()).toEqual(['50', '50']);
    await stage.clock.advance(1);
    expect(await limit()).toEqual(['10', '10']);
  });

  it('stamps and dates what it does by the storage’s time', async () => {
    const { operator } = other;
    const job = await operator.jobs.publish({
      companyId: stage.employer.companyId,
      title: 'Cook',
      location: { city: 'Reno', state: 'NV', country: 'US' },
      compensation: { currency: 'USD' },
    });
    expect(job.createdAt).toBe(stage.clock.now());
    const jobs = await stage.get(stage.inStep, '/jobs');
    expectNow(rowsOf(jobs).find(({ id }) => id === job.id)?.updatedAt);
    expectNow(jobs.headers.get('x-updated-through'));

    const added = await operator.partners.create({ name: 'Other ATS' });
    expect(added.createdAt).toBe(stage.clock.now());
    const company = await operator.companies.create({ name: 'Globex', environment: 'production' });
    expect(company.createdAt).toBe(stage.clock.now());
    const issued = await operator.keys.issue({ partnerId: added.id, environment: 'production' });
    expect(issued.key.createdAt).toBe(stage.clock.now());
    const { access } = await operator.access.grant({ keyId: issued.key.id, companyId: company.id });
    expect(access.grantedAt).toBe(stage.clock.now());
    const { endpoint } = await operator.endpoints.setUrl({
      keyId: issued.key.id,
      url: 'https://other.example/hooks',
    });
    expect(endpoint.createdAt).toBe(stage.clock.now());
    const paused = await operator.endpoints.pause({ keyId: issued.key.id });
    expect(paused.endpoint.state).toMatchObject({ pausedAt: stage.clock.now() });
  });

  it('decides at the storage’s time, and so says the event that the partner gets', async () => {
    const { json } = await stage.submit(stage.inStep);
    const id = String(json.id) as `ej_app_${string}`;
    await other.operator.applications.move({ id });
    await stage.clock.advance(MINUTE_MS);
    await other.operator.applications.decide({ id, decision: 'accepted' });
    await other.partnerHiring.worker.drain();
    const event = other.transport.events().find(({ type }) => type === 'application.status_changed');
    expect(event).toMatchObject({
      createdAt: iso(stage.clock.now()),
      data: { occurredAt: iso(stage.clock.now()) },
    });
    const rows = rowsOf(await stage.get(stage.inStep, '/applications'));
    expect(rows).toMatchObject([{ status: 'accepted', lastStatusChangeAt: iso(stage.clock.now()) }]);
  });

  it('does the same within the host’s transaction', async () => {
    const host = await stage.database.host();
    await host.run('begin');
    const { access } = other.operator.within(host.tx);
    const { keyId } = stage.partner;
    const enabled = await access.raiseLimit({ keyId, companyId: stage.employer.companyId });
    await host.run('commit');
    await host.close();
    expect(enabled.access.bootstrapUntil).toBe(stage.clock.now() + DAY_MS);
  });

  it('counts what waits, and for how long, by the storage’s time', async () => {
    const { overall } = await stage.inStep.operator.deliveries.count();
    expect(overall).toMatchObject({ due: 1, oldestDueMs: expect.any(Number) });
    expect((await other.operator.deliveries.count()).overall).toEqual(overall);
  });

  it('sends a test delivery whose signature the partner accepts', async () => {
    await other.operator.endpoints.test({ keyId: stage.partner.keyId });
    const [sent] = other.transport.attempts;
    if (sent === undefined) throw new Error('Nothing was sent.');
    const secret = stage.partner.signingSecret ?? '';
    const verified = await verifyWebhook({
      body: Buffer.from(sent.body),
      headers: { ...sent.headers },
      secret,
      now: stage.clock.now(),
    });
    expect(verified).toMatchObject({ ok: true, event: { createdAt: iso(stage.clock.now()) } });
  });
});

it.each([-DAY_MS, DAY_MS])(
  'a replica %i ms off measures backlog and latency on the storage’s time',
  async (aheadMs) => {
    const telemetry = createRecordingTelemetry();
    const { partnerHiring } = await stage.replica(aheadMs, { telemetry });
    await stage.clock.advance(90 * SECOND_MS);
    expect(await telemetry.collect()).toMatchObject({
      'partner_hiring.delivery.due {event}': 1,
      'partner_hiring.delivery.due.age s': expect.closeTo(90, 0),
    });
    await partnerHiring.worker.drain();
    const latency = telemetry.measured.find(({ name }) => name === 'partner_hiring.delivery.latency');
    expect(latency?.value).toBeCloseTo(90, 0);
  },
);
