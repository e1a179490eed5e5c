/** What an operator sees of requests. Secrets, signatures, candidates and URLs must not appear. */
import { randomUUID } from 'node:crypto';
import { context, SpanKind, trace } from '@opentelemetry/api';
import { submission } from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import { describe, expect, it } from 'vitest';
import { SECOND_MS } from '../../../packages/core/src/domain/time.js';
import { StorageUnavailable } from '../../../packages/core/src/errors.js';
import { APPLICATIONS, JOBS, partnersCall } from './partners-call.js';
import { ANSWER, CANDIDATE, driverError } from './private.js';
import { openStage } from './stage.js';

const stage = perTest(openStage, ({ close }) => close());

describe('requests', () => {
  it('are measured and traced by route and code, and logged at debug, without their data', async () => {
    const { telemetry, replies, lines, expectNothingPrivate } = stage;
    await partnersCall(stage);

    const measured = (await telemetry.series('http.server.request.duration')).flatMap(
      ({ attributes, value }) =>
        Array<string>(value).fill(
          ['http.request.method', 'http.route', 'http.response.status_code', 'partner_hiring.error.code']
            .map((name) => attributes[name])
            .join(' '),
        ),
    );
    expect(measured.sort()).toEqual([...replies].sort());
    expect(new Set(replies.map((reply) => reply.split(' ').at(-1))).size).toBeGreaterThan(8);

    const logged = lines('A partner request was answered.').map(({ level, fields }) => {
      expect(level).toBe('debug');
      expect(fields.requestId).toEqual(expect.any(String));
      return [fields.method, fields.route, fields.status, fields.code].join(' ');
    });
    expect(logged.sort()).toEqual([...replies].sort());
    expect(
      telemetry.spans().filter(({ attributes }) => 'partner_hiring.request.id' in attributes),
    ).toHaveLength(replies.length);
    await expectNothingPrivate();
  });

  it('share batches whose sizes are measured', async () => {
    const { fixture, partner, by } = stage;
    // A new secret: the key is looked up before the request's data is read.
    await Promise.all([partner.get('/jobs'), partner.get('/jobs'), partner.get('/applications/ej_app_none')]);
    await partnersCall(stage);
    await fixture.partnerHiring.worker.drain();
    expect(Object.keys(await by('partner_hiring.group.size', 'partner_hiring.group')).sort()).toEqual([
      'admission',
      'guard',
      'reading',
      'settling',
      'submission',
    ]);
  });

  it('count a submission as one batch', async () => {
    const { partner, jobId, by } = stage;
    const body = () => submission(jobId, { applicationFormAnswers: { pets: ANSWER } });
    for (let count = 0; count < 3; count += 1) expect((await partner.submit(body())).status).toBe(201);
    const [key, last] = [randomUUID(), JSON.stringify(body())];
    for (let count = 0; count < 2; count += 1) expect((await partner.submit(last, key)).status).toBe(201);
    expect((await by('partner_hiring.group.size', 'partner_hiring.group')).submission).toBe(5);
  });

  it("belong to the host's trace, or start a trace", async () => {
    const { partner, spansOf } = stage;
    await partner.get('/jobs');
    await trace.getTracer('host').startActiveSpan('the host', async (span) => {
      await partner.get('/jobs');
      span.end();
    });
    const [alone, below] = spansOf(`GET ${JOBS}`);
    const [host] = spansOf('the host');
    expect(alone?.parentSpanContext).toBeUndefined();
    expect(below?.parentSpanContext?.spanId).toBe(host?.spanContext().spanId);
    expect(below?.instrumentationScope).toMatchObject({ name: '@partner-hiring/core', version: '0.1.0' });
  });

  it('are the server side of a remote trace, with a known or unknown method', async () => {
    const { partner, telemetry } = stage;
    const caller = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1, isRemote: true };
    await context.with(trace.setSpanContext(context.active(), caller), () =>
      partner.request('PROPFIND', '/jobs'),
    );
    expect(telemetry.spans().at(-1)).toMatchObject({
      name: `HTTP ${JOBS}`,
      kind: SpanKind.SERVER,
      parentSpanContext: caller,
      attributes: { 'http.request.method': '_OTHER' },
    });
  });

  it('that fail in an outage are logged as errors, with the cause but without its parameters', async () => {
    const {
      telemetry,
      fixture,
      partner,
      jobId,
      faults,
      replies,
      noted,
      lines,
      spansOf,
      expectNothingPrivate,
    } = stage;
    faults.failWith = () => new StorageUnavailable('The database cannot be used.', { cause: driverError() });
    noted('GET', JOBS, await partner.get('/jobs'));
    faults.failWith = driverError;
    noted('POST', APPLICATIONS, await partner.submit(submission(jobId, { candidate: CANDIDATE })));
    expect(replies).toEqual([
      `GET ${JOBS} 503 SERVICE_UNAVAILABLE`,
      `POST ${APPLICATIONS} 500 INTERNAL_ERROR`,
    ]);
    expect(lines('A partner request failed.')).toMatchObject([
      {
        level: 'error',
        fields: {
          code: 'SERVICE_UNAVAILABLE',
          err: { message: 'The database cannot be used.', cause: { code: '22P02' } },
        },
      },
      {
        level: 'error',
        fields: { err: { code: '22P02', message: expect.stringContaining('ph_application') } },
      },
    ]);
    expect(spansOf(`GET ${JOBS}`)[0]).toMatchObject({
      status: { code: 2 },
      attributes: { 'error.type': 'SERVICE_UNAVAILABLE', 'http.response.status_code': 503 },
    });

    const { worker } = fixture.partnerHiring;
    worker.start();
    await fixture.clock.advance(SECOND_MS);
    await worker.stop();
    expect(lines('The worker could not poll for work')).not.toEqual([]);
    expect(await telemetry.series('partner_hiring.delivery.due')).toEqual([]);
    expect(lines('Reading the delivery backlog failed.')).not.toEqual([]);
    faults.failWith = null;
    expect(await telemetry.series('partner_hiring.delivery.due')).toMatchObject([{ value: 0 }]);
    await expectNothingPrivate(1_000);
  });

  it('and repeated transactions are counted', async () => {
    const { telemetry, fixture, faults } = stage;
    faults.contend = true;
    await fixture.operator.partners.create({ name: 'Globex' });
    expect(await telemetry.series('partner_hiring.transaction.retries')).toMatchObject([{ value: 1 }]);
  });
});
