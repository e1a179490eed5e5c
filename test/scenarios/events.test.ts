/** Contract: 10 to 12. A test for each rule of delivery, signature and pausing, on a clock turned by hand. */

import type { OperatorAlert, WebhookRequest } from '@partner-hiring/core';
import { createFixture, type Fixture } from '@partner-hiring/test-support/fixture';
import {
  createEmployer,
  createPartner,
  type Partner,
  submission,
  WAREHOUSE_JOB,
} from '@partner-hiring/test-support/partner';
import { answered, UNREACHABLE } from '@partner-hiring/test-support/transport';
import { verifyWebhook } from '@partner-hiring/webhook-verifier';
import Stripe from 'stripe';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/** The reasons of alerts; empty for a dead letter. */
function reasonsOf(alerts: readonly OperatorAlert[]): string[] {
  return alerts.map((alert) => ('reason' in alert ? alert.reason : ''));
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let fixture: Fixture;
let partner: Partner;
let jobId: `job_${string}`;

/** A world whose jitter is fixed: 0 gives the shortest delays, just under 1 the longest. */
async function open(fraction = 0.5): Promise<void> {
  fixture = await createFixture({}, { fraction: () => fraction });
  partner = await createPartner(fixture);
  ({ jobId } = await createEmployer(fixture, partner));
  await fixture.partnerHiring.worker.drain();
}
beforeEach(() => open());
afterEach(() => fixture.close());

/** Submits and decides one application, which makes one event. */
async function hire(decision: 'accepted' | 'rejected' = 'accepted'): Promise<void> {
  const id = (await partner.submit(submission(jobId))).json.id as `ej_app_${string}`;
  await fixture.operator.applications.move({ id });
  await fixture.operator.applications.decide({ id, decision });
}

function lastAttempt(): WebhookRequest {
  const last = fixture.transport.attempts.at(-1);
  if (last === undefined) throw new Error('Nothing was sent.');
  return last;
}

const sentSince = (count: number) => fixture.transport.attempts.slice(count);

describe('Event types', () => {
  const onlyData = () =>
    fixture.transport
      .events()
      .slice(1)
      .map(({ type, data }) => ({ type, data }));

  it('job.opened has jobId, companyId, title, openedAt; job.closed has jobId, companyId, reason, closedAt', async () => {
    await fixture.operator.jobs.close({ id: jobId });
    await fixture.operator.jobs.reopen({ id: jobId });
    await fixture.partnerHiring.worker.drain();
    const job = { jobId, companyId: expect.stringMatching(/^co_/) };
    const closedAt = expect.stringMatching(/Z$/);
    expect(onlyData()).toEqual([
      { type: 'job.closed', data: { ...job, reason: 'closed_by_customer', closedAt } },
      { type: 'job.opened', data: { ...job, title: WAREHOUSE_JOB.title, openedAt: closedAt } },
    ]);
  });
});

describe('Delivery and signature', () => {
  it('the published verifier takes every attempt at its own time, and so does one that is not ours', async () => {
    fixture.transport.answerWith(() => answered(500));
    await hire();
    await fixture.partnerHiring.worker.drain();
    await fixture.pass(2 * HOUR, MINUTE);
    const attempts = sentSince(1);
    expect(attempts.length).toBeGreaterThan(3);
    const stripe = new Stripe('sk_test_unused');
    for (const { headers, body } of attempts) {
      const seconds = Number(headers['X-Partner-Timestamp']);
      const secret = partner.signingSecret ?? '';
      const verdict = await verifyWebhook({ headers, body, secret, now: seconds * 1000 });
      expect(verdict).toMatchObject({ ok: true, event: { type: 'application.status_changed' } });
      const signature = headers['X-Partner-Signature'] ?? '';
      const theirs = stripe.webhooks.constructEvent(body, signature, secret, Number.MAX_SAFE_INTEGER);
      expect(theirs.id).toMatch(/^evt_/);
    }
  });

  it('both secrets of a rotation sign for the overlap', async () => {
    const { signingSecret } = await fixture.operator.endpoints.rotateSecret({ keyId: partner.keyId });
    await hire();
    await fixture.partnerHiring.worker.drain();
    const { headers, body } = lastAttempt();
    expect(headers['X-Partner-Signature']?.match(/v1=/g)).toHaveLength(2);
    for (const secret of [signingSecret, partner.signingSecret ?? '']) {
      expect((await verifyWebhook({ headers, body, secret, now: fixture.clock.now() })).ok).toBe(true);
    }
    await fixture.clock.advance(24 * HOUR);
    await hire();
    await fixture.partnerHiring.worker.drain();
    expect(fixture.transport.attempts.at(-1)?.headers['X-Partner-Signature']?.match(/v1=/g)).toHaveLength(1);
  });

  it.each([200, 201, 204, 299])('%i is a success', async (status) => {
    fixture.transport.answerWith(() => answered(status));
    await hire();
    await fixture.partnerHiring.worker.drain();
    await fixture.pass(5 * HOUR, HOUR);
    expect(sentSince(1)).toHaveLength(1);
  });

  it.each([
    ...[199, 300, 301, 400, 404, 429, 500, 503].map((status) => [`a ${status}`, answered(status)] as const),
    ['no answer', UNREACHABLE] as const,
  ])('a retry follows %s', async (_, outcome) => {
    fixture.transport.answerWith(() => outcome);
    await hire();
    await fixture.partnerHiring.worker.drain();
    await fixture.pass(2 * MINUTE, MINUTE);
    expect(sentSince(1)).toHaveLength(2);
  });
});

describe('Retries', () => {
  const DELAYS = [
    MINUTE,
    5 * MINUTE,
    30 * MINUTE,
    2 * HOUR,
    6 * HOUR,
    12 * HOUR,
    24 * HOUR,
    24 * HOUR,
    24 * HOUR,
  ];

  it.each([
    ['-25 %', 0, 0.75],
    ['+25 %', 1 - Number.EPSILON, 1.25],
  ])(
    'ten attempts at the delays of the table, jitter %s, then a dead letter and its alert, with a warning for each long wait',
    async (_, fraction, factor) => {
      await fixture.close();
      await open(fraction);
      const times: number[] = [];
      const isHire = (body: string) => body.includes('application.status_changed');
      fixture.transport.answerWith(({ body }) => {
        if (isHire(body)) times.push(fixture.clock.now());
        // Other events of the key succeed, so that the endpoint is not paused for being dark.
        return answered(isHire(body) ? 500 : 200);
      });
      await hire();
      await fixture.partnerHiring.worker.drain();
      for (const delay of DELAYS) {
        await fixture.pass(Math.round(delay * factor) - 1);
        const before = times.length;
        await fixture.operator.jobs.update({ id: jobId, changes: { title: 'Still open' } });
        await fixture.operator.jobs.close({ id: jobId });
        await fixture.operator.jobs.reopen({ id: jobId });
        await fixture.partnerHiring.worker.drain();
        expect(times).toHaveLength(before);
        await fixture.pass(1);
        expect(times).toHaveLength(before + 1);
      }
      await fixture.pass(100 * HOUR, 10 * HOUR);
      expect(times).toHaveLength(10);
      expect(times.slice(1).map((at, index) => at - (times[index] ?? 0))).toEqual(
        DELAYS.map((delay) => Math.round(delay * factor)),
      );
      const dead = fixture.alerts.filter(({ kind }) => kind === 'delivery_dead');
      expect(dead).toMatchObject([{ keyId: partner.keyId, attempts: 10 }]);
      // The events between two attempts succeed, so each long wait is a failing state of its own.
      const waits = [...DELAYS.map((delay) => delay * factor), Number.POSITIVE_INFINITY];
      const warned = [
        ...waits.filter((wait) => wait > HOUR).map(() => 'one_hour'),
        ...waits.filter((wait) => wait > 0.9 * 24 * HOUR).map(() => 'near_pause'),
      ];
      expect(reasonsOf(fixture.alerts).sort()).toEqual(['', ...warned].sort());
      const sent = fixture.transport.attempts.filter(({ body }) => isHire(body));
      expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
    },
  );
});

describe('Pausing', () => {
  const state = async () => (await fixture.operator.endpoints.find({ keyId: partner.keyId }))?.state;

  it('auto-pause after 50 consecutive failures, with one alert and one warning', async () => {
    fixture.transport.answerWith(() => answered(500));
    await Promise.all(Array.from({ length: 10 }, () => hire()));
    await fixture.partnerHiring.worker.drain();
    await fixture.clock.advance(MINUTE);
    await Promise.all(Array.from({ length: 10 }, () => hire()));
    await fixture.pass(20 * MINUTE, MINUTE);
    await fixture.clock.advance(MINUTE);
    await Promise.all(Array.from({ length: 10 }, () => hire()));
    await fixture.pass(60 * MINUTE, 20_000);
    expect(await state()).toMatchObject({ kind: 'paused', reason: 'consecutive_failures' });
    expect(
      reasonsOf(fixture.alerts)
        .filter((reason) => reason !== 'one_hour')
        .sort(),
    ).toEqual(['consecutive_failures', 'near_pause']);
    expect(sentSince(1).length).toBeGreaterThanOrEqual(50);
    expect(sentSince(1).length).toBeLessThan(54);
  });

  it('auto-pause after 24 hours without a successful delivery; an idle endpoint is never paused', async () => {
    await fixture.pass(100 * HOUR, HOUR);
    expect(await state()).toEqual({ kind: 'active' });
    fixture.transport.answerWith(() => answered(500));
    await hire();
    await fixture.pass(23 * HOUR, MINUTE * 10);
    expect(await state()).toEqual({ kind: 'active' });
    await fixture.pass(24 * HOUR, HOUR);
    expect(await state()).toMatchObject({ kind: 'paused', reason: 'no_success' });
    expect(reasonsOf(fixture.alerts)).toEqual(['one_hour', 'near_pause', 'no_success']);
  });

  it('HTTP 410 pauses at once and alerts; new events are recorded but not delivered; an operator resumes', async () => {
    fixture.transport.answerWith(() => answered(410));
    await hire();
    await fixture.partnerHiring.worker.drain();
    expect(await state()).toMatchObject({ kind: 'paused', reason: 'gone' });
    expect(fixture.alerts).toMatchObject([{ kind: 'endpoint_paused', reason: 'gone' }]);
    fixture.transport.answerWith(() => answered(200));
    const before = fixture.transport.attempts.length;
    await hire();
    await hire('rejected');
    await fixture.pass(30 * HOUR, HOUR);
    expect(sentSince(before)).toEqual([]);
    await fixture.operator.endpoints.resume({ keyId: partner.keyId });
    await fixture.partnerHiring.worker.drain();
    expect(sentSince(before)).toHaveLength(3);
    expect(
      new Set(
        fixture.transport
          .events()
          .slice(before)
          .map(({ id }) => id),
      ).size,
    ).toBe(3);
    expect(fixture.alerts.map(({ kind }) => kind)).toEqual(['endpoint_paused', 'endpoint_recovered']);
  });
});
