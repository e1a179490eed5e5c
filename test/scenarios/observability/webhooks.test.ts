/** What an operator sees of webhooks. Secrets, signatures, candidates and URLs must not appear. */
import { context, propagation, trace } from '@opentelemetry/api';
import { perTest } from '@partner-hiring/test-support/per-test';
import { answered } from '@partner-hiring/test-support/transport';
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../../packages/core/src/domain/time.js';
import { partnersCall } from './partners-call.js';
import { CANDIDATE, WEBHOOK_URL } from './private.js';
import { openStage } from './stage.js';

const stage = perTest(openStage, ({ close }) => close());

describe('webhooks', () => {
  it('are measured by outcome and traced by host', async () => {
    const { telemetry, fixture, partner, by, lines, spansOf, expectNothingPrivate } = stage;
    const id = await partnersCall(stage);
    const echo = () =>
      `${partner.signingSecret} ${CANDIDATE.email} ${fixture.transport.attempts.at(-1)?.body}`;
    const outcomes = [
      { ...answered(500), excerpt: echo() },
      { ...answered(302), excerpt: WEBHOOK_URL },
      { ...answered(404), excerpt: echo() },
      { kind: 'failed', failure: 'timed_out', message: `No answer from ${WEBHOOK_URL} in time.` },
      { kind: 'failed', failure: 'address_refused', message: `${WEBHOOK_URL} is private.` },
      { ...answered(204), excerpt: echo() },
    ] as const;
    let attempts = 0;
    fixture.transport.answerWith(() => {
      // An instrumented client would record the whole URL.
      trace.getTracer('undici').startSpan(`POST ${WEBHOOK_URL}`).end();
      return outcomes[attempts++] ?? answered(200);
    });
    const sentBefore = await telemetry.series('partner_hiring.delivery.latency');
    await fixture.operator.applications.move({ id });
    await fixture.operator.applications.decide({ id, decision: 'rejected' });
    await fixture.partnerHiring.worker.drain();
    for (let hours = 0; hours < 20 && attempts < outcomes.length; hours += 1) await fixture.pass(HOUR_MS);

    expect(await by('partner_hiring.attempt.duration', 'partner_hiring.attempt.outcome')).toMatchObject({
      server_error: 1,
      redirected: 1,
      client_error: 1,
      timed_out: 1,
      address_refused: 1,
      delivered: expect.any(Number),
    });
    const delivered = (list: readonly { readonly value: number }[]) =>
      list.reduce((sum, { value }) => sum + value, 0);
    const sentAfter = await telemetry.series('partner_hiring.delivery.latency');
    expect(delivered(sentAfter)).toBe(delivered(sentBefore) + 1);
    expect(sentAfter.map(({ attributes }) => attributes)).toContainEqual({
      'partner_hiring.event.type': 'application.status_changed',
    });

    const spans = spansOf('partner_hiring.attempt').slice(-outcomes.length);
    expect(spans.map(({ attributes }) => attributes['partner_hiring.attempt.outcome'])).toEqual([
      'server_error',
      'redirected',
      'client_error',
      'timed_out',
      'address_refused',
      'delivered',
    ]);
    expect(spans[0]?.parentSpanContext).toBeUndefined();
    expect(spans[0]?.attributes).toMatchObject({
      'server.address': 'hooks.acme.example',
      'partner_hiring.key.id': partner.keyId,
    });
    expect(
      telemetry.spans().filter(({ instrumentationScope }) => instrumentationScope.name === 'undici'),
    ).toEqual([]);
    expect(lines('A webhook attempt ended.').at(-1)).toMatchObject({
      level: 'debug',
      fields: { keyId: partner.keyId, eventId: expect.any(String), outcome: 'delivered', status: 204 },
    });
    expect(await by('partner_hiring.group.size', 'partner_hiring.group')).toHaveProperty('settling');
    await expectNothingPrivate();
  });

  it('that are tests are traced but not measured', async () => {
    const { telemetry, fixture, partner, spansOf, expectNothingPrivate } = stage;
    const measured = () => telemetry.series('partner_hiring.attempt.duration');
    const before = await measured();
    let carried: unknown;
    fixture.transport.answerWith(() => {
      trace.getTracer('undici').startSpan(`POST ${WEBHOOK_URL}`).end();
      carried = propagation.getActiveBaggage();
      return answered(500);
    });
    const baggage = propagation.createBaggage({ user: { value: CANDIDATE.email } });
    await context.with(propagation.setBaggage(context.active(), baggage), () =>
      trace.getTracer('host').startActiveSpan('the host', async (span) => {
        await fixture.operator.endpoints.test({ keyId: partner.keyId });
        span.end();
      }),
    );
    expect(carried).toBeUndefined();
    expect(telemetry.spans().map(({ name }) => name)).not.toContain(`POST ${WEBHOOK_URL}`);
    const [span] = spansOf('partner_hiring.test_delivery');
    expect(span?.parentSpanContext).toBeUndefined();
    expect(span?.attributes).toMatchObject({
      'partner_hiring.key.id': partner.keyId,
      'partner_hiring.attempt.outcome': 'server_error',
      'server.address': 'hooks.acme.example',
      'error.type': 'server_error',
    });
    expect(await measured()).toEqual(before);
    await expectNothingPrivate(1_000);
  });

  it('that wait are measured at each collection', async () => {
    const { telemetry, fixture, jobId } = stage;
    await fixture.operator.jobs.close({ id: jobId });
    await fixture.clock.advance(30 * SECOND_MS);
    expect(await telemetry.series('partner_hiring.delivery.due')).toMatchObject([{ value: 1 }]);
    expect(await telemetry.series('partner_hiring.delivery.due.age')).toMatchObject([
      { value: expect.closeTo(30, 1) },
    ]);
    await fixture.partnerHiring.worker.drain();
    expect(await telemetry.series('partner_hiring.delivery.due')).toMatchObject([{ value: 0 }]);
    expect(await telemetry.series('partner_hiring.delivery.due.age')).toMatchObject([{ value: 0 }]);
  });

  it('count and log pauses, resumes and dead letters by reason', async () => {
    const { telemetry, fixture, logger, partner, jobId, by, lines, expectNothingPrivate } = stage;
    const { operator, partnerHiring } = fixture;
    const target = { keyId: partner.keyId };
    await operator.endpoints.pause(target);
    await operator.endpoints.pause(target);
    await operator.endpoints.resume(target);
    await operator.endpoints.resume(target);

    fixture.transport.answerWith(() => ({ ...answered(410), excerpt: `${partner.signingSecret}` }));
    await operator.jobs.close({ id: jobId });
    await partnerHiring.worker.drain();
    await operator.endpoints.resume(target);
    fixture.transport.answerWith(() => ({ ...answered(503), excerpt: `${partner.signingSecret}` }));
    for (let days = 0; days < 14; days += 1) {
      await fixture.pass(DAY_MS, HOUR_MS * 6);
      await operator.endpoints.resume(target);
    }

    const count = (kind: string) => fixture.alerts.filter((alert) => alert.kind === kind).length;
    expect(count('delivery_dead')).toBe(1);
    expect(await telemetry.series('partner_hiring.delivery.dead_letters')).toMatchObject([{ value: 1 }]);
    const pauses = await by('partner_hiring.endpoint.pauses', 'partner_hiring.pause.reason');
    expect(pauses).toMatchObject({ operator: 1, gone: 1, no_success: count('endpoint_paused') - 1 });
    expect(await by('partner_hiring.endpoint.resumes', 'partner_hiring.pause.reason')).toEqual(pauses);
    const alerted = logger.lines.filter(({ fields }) => 'alert' in fields);
    expect(alerted.map(({ fields }) => fields.alert)).toEqual(fixture.alerts);
    expect(new Set(alerted.map(({ level }) => level))).toEqual(new Set(['warn']));
    expect(lines('The operator paused')).toMatchObject([{ level: 'warn', fields: target }]);
    await expectNothingPrivate();
  });

  it('whose transport throws reveal nothing of their content', async () => {
    const { fixture, partner, jobId, lines, spansOf, expectNothingPrivate } = stage;
    fixture.transport.answerWith((request) => {
      throw Object.assign(new Error(`POST ${WEBHOOK_URL} failed: ${JSON.stringify(request)}`), { request });
    });
    await fixture.operator.jobs.close({ id: jobId });
    const { worker } = fixture.partnerHiring;
    worker.start();
    await fixture.clock.advance(SECOND_MS);
    const told = lines('Events cannot be sent').map(({ level, fields }) => [level, fields.keyId].join(' '));
    expect(told).toEqual([`error ${partner.keyId}`]);
    fixture.transport.answerWith(() => answered(200));
    await worker.stop();
    await expectNothingPrivate(1_000);
    expect(spansOf('partner_hiring.attempt').at(-1)?.attributes['error.type']).toBe('transport_broke');
  });
});
