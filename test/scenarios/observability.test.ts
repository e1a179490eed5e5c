/** What an operator sees of the library, and what nobody must see: secrets, signatures, candidates, URLs. */
import { trace } from '@opentelemetry/api';
import type { Clock, ResumeDownload, Storage } from '@partner-hiring/core/ports';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../packages/core/src/domain/time.js';
import { StorageUnavailable } from '../../packages/core/src/errors.js';
import { STORY_START } from '../support/clock.js';
import { neutralRequest } from '../support/handler.js';
import {
  BASE_PATH,
  createEmployer,
  createPartner,
  type Partner,
  type Reply,
  send,
  submission,
  WAREHOUSE_JOB,
} from '../support/partner.js';
import { createTestDatabase, type HostTransaction, type TestDatabase } from '../support/storages.js';
import { createRecordingLogger, registerTelemetry, type TelemetryUnderTest } from '../support/telemetry.js';
import { answered } from '../support/transport.js';
import { createWorld, type World } from '../support/world.js';

const SEALING_KEY = 'c2VhbGluZy1rZXktb2YtdGhlLXN0b3J5LTEyMzQ1Njc=';
const WEBHOOK_URL = 'https://hooks.acme.example/in/pathtoken7f3a?auth=querytoken9c1d';
const RESUME_URL = 'https://zephyrine.example/cv/resumetoken55aa.pdf?sig=resumesig66bb';
const CANDIDATE = {
  firstName: 'Zephyrine',
  lastName: "D'Quackenbush",
  email: 'zephyrine.q@mail.example',
  phone: '+14155550177',
};
const ANSWER = 'I keep seventeen ferrets';

/** What must never be seen, beside the secrets that the story makes. */
const PRIVATE = [
  SEALING_KEY,
  'sealing-key-of-the-story',
  'pathtoken7f3a',
  'querytoken9c1d',
  'resumetoken55aa',
  'resumesig66bb',
  'zephyrine',
  'Zephyrine',
  'Quackenbush',
  '4155550177',
  '(415) 555-0177',
  'ferrets',
  'sourceid8d2e',
  'hostile',
  'whsec_',
  'pek_live_',
  'v1=',
  // Of a body, whoever's it is.
  WAREHOUSE_JOB.title,
  'apiVersion',
];

/** What a driver throws: parameters beside the message, values in it, the row in a detail. */
function driverError(): Error {
  const params = Object.values(CANDIDATE);
  return Object.assign(
    new Error(
      `Failed query: insert into "ph_application" values ($1, $2)\nparams: ${params.join(', ')}, ${RESUME_URL}`,
      {
        cause: Object.assign(new Error(`invalid input syntax for type integer: "${CANDIDATE.email}"`), {
          detail: `Key (email)=(${CANDIDATE.email}) already exists.`,
        }),
      },
    ),
    { code: '22P02', severity: 'ERROR', parameters: params, query: `… '${CANDIDATE.lastName}'` },
  );
}

let telemetry: TelemetryUnderTest;
let database: TestDatabase;
let world: World;
let logger: ReturnType<typeof createRecordingLogger>;
let partner: Partner;
let jobId: `job_${string}`;
let failWith: (() => Error) | null;
let contend: boolean;
let download: (url: string) => ResumeDownload;
const replies: string[] = [];

beforeEach(async () => {
  telemetry = registerTelemetry();
  logger = createRecordingLogger();
  database = await createTestDatabase();
  failWith = null;
  contend = false;
  replies.length = 0;
  download = () => ({ kind: 'failed', reason: 'bad_status', retryable: false });
  const storyClock: Pick<Clock, 'now'> = { now: () => world?.clock.now() ?? STORY_START };
  const storage = withFaults(await database.open(storyClock));
  world = await createWorld({
    storage,
    logger,
    secretKey: SEALING_KEY,
    resumeSource: { fetch: async (url) => download(url), close: async () => {} },
  });
  partner = await createPartner(world);
  ({ jobId } = await createEmployer(world, partner));
  const pets = { key: 'pets', label: 'Pets?', type: 'text', required: false };
  await world.operator.jobs.update({ id: jobId, changes: { applicationFormSchema: [pets] } });
  await world.partnerHiring.worker.drain();
  await world.operator.endpoints.setUrl({ keyId: partner.keyId, url: WEBHOOK_URL });
});
afterEach(async () => {
  await world.close();
  await database.remove();
  await telemetry.close();
});

/** A storage that fails, or that another transaction gets in the way of, when the story says so. */
function withFaults(storage: Storage<HostTransaction>): Storage<HostTransaction> {
  const check = () => {
    if (failWith !== null) throw failWith();
  };
  const { direct } = storage;
  return {
    ...storage,
    direct: {
      ...direct,
      keys: {
        ...direct.keys,
        findByHashes: async (hashes) => {
          check();
          return direct.keys.findByHashes(hashes);
        },
      },
      endpoints: {
        ...direct.endpoints,
        lease: async (...args) => {
          check();
          return direct.endpoints.lease(...args);
        },
        backlogs: async (...args) => {
          check();
          return direct.endpoints.backlogs(...args);
        },
      },
    },
    transaction: (work) =>
      storage.transaction(async (tx) => {
        check();
        if (!contend) return work(tx);
        contend = false;
        await work(tx);
        return work(tx);
      }),
  };
}

/** Notes a reply as the metric has it. */
function noted(method: string, route: string | null, reply: Pick<Reply, 'status' | 'json'>): Reply['json'] {
  replies.push([method, route, reply.status, reply.json.error].join(' '));
  return reply.json;
}

const JOBS = `${BASE_PATH}/jobs`;
const APPLICATIONS = `${BASE_PATH}/applications`;
const APPLICATION = `${BASE_PATH}/applications/{id}`;

/** Every endpoint, with everything that callers get wrong. */
async function partnersCall(): Promise<`ej_app_${string}`> {
  const full = submission(jobId, {
    candidate: CANDIDATE,
    sourceApplicationId: 'sourceid8d2e',
    applicationFormAnswers: { pets: ANSWER },
    resumeUrl: RESUME_URL,
  });
  const key = '11111111-1111-4111-8111-111111111111';
  const created = noted('POST', APPLICATIONS, await partner.submit(full, key));
  expect(created).toHaveProperty('id');
  noted('POST', APPLICATIONS, await partner.submit(full, key));
  noted('POST', APPLICATIONS, await partner.submit({ ...full, consentToContact: 'hostile' }, key));
  noted('POST', APPLICATIONS, await partner.submit(full));
  noted('POST', APPLICATIONS, await partner.submit(`{"candidate": "${CANDIDATE.firstName}`));
  noted('POST', APPLICATIONS, await partner.submit(full, 'hostile-key'));
  noted('POST', APPLICATIONS, await partner.submit(submission('job_hostile', { candidate: CANDIDATE })));
  noted('GET', JOBS, await partner.get('/jobs?cursor=hostile'));
  noted('GET', JOBS, await partner.get('/jobs'));
  noted('GET', APPLICATIONS, await partner.get(`/applications?email=${CANDIDATE.email}`));
  noted('GET', APPLICATION, await partner.get(`/applications/${created.id}`));
  noted('GET', APPLICATION, await partner.get(`/applications/hostile-${CANDIDATE.lastName}`));
  noted('GET', null, await partner.get(`/hostile/${CANDIDATE.email}?token=hostile`));
  noted('DELETE', JOBS, await partner.request('DELETE', '/jobs'));
  noted(
    'GET',
    JOBS,
    await send(world, 'GET', '/jobs', { headers: { authorization: 'Bearer pek_live_hostile' } }),
  );
  const odd = await world.partnerHiring.handler(neutralRequest('HOSTILE', `${JOBS}?x=hostile`));
  noted('_OTHER', JOBS, { status: odd.status, json: JSON.parse(odd.body) as Reply['json'] });
  return String(created.id) as `ej_app_${string}`;
}

/** The story's own secrets, and everything that was sent with them. */
function secrets(): readonly string[] {
  const signatures = world.transport.attempts.flatMap(({ headers }) =>
    String(headers['X-Partner-Signature']).match(/[0-9a-f]{64}/g),
  );
  return [...PRIVATE, partner.secret, partner.signingSecret ?? '', ...signatures.map(String)];
}

async function expectNothingPrivate(): Promise<void> {
  const seen = logger.text() + (await telemetry.everything());
  expect(seen.length).toBeGreaterThan(10_000);
  expect(secrets().filter((secret) => secret === '' || seen.includes(secret))).toEqual([]);
}

const by = async (metric: string, attribute: string) =>
  Object.fromEntries(
    (await telemetry.series(metric)).map(({ attributes, value }) => [String(attributes[attribute]), value]),
  );
const lines = (message: string) => logger.lines.filter((line) => line.message.startsWith(message));
const spansOf = (name: string) => telemetry.spans().filter((span) => span.name === name);

describe('requests', () => {
  it('are measured and traced by route and code, and logged at debug, without what they carry', async () => {
    await partnersCall();

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

  it('go together in groups whose sizes are measured', async () => {
    // A secret that was never seen: what it asks for is read after it is known whose it is.
    await Promise.all([partner.get('/jobs'), partner.get('/jobs'), partner.get('/applications/ej_app_none')]);
    await partnersCall();
    await world.partnerHiring.worker.drain();
    expect(Object.keys(await by('partner_hiring.group.size', 'partner_hiring.group')).sort()).toEqual([
      'admission',
      'guard',
      'reading',
      'settling',
      'submission',
    ]);
  });

  it('are a part of what the host traces, or the beginning of a trace', async () => {
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

  it('that an outage fails are errors in the log, with the cause and without its parameters', async () => {
    failWith = () => new StorageUnavailable('The database cannot be used.', { cause: driverError() });
    noted('GET', JOBS, await partner.get('/jobs'));
    failWith = driverError;
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

    const { worker } = world.partnerHiring;
    worker.start();
    await world.clock.advance(SECOND_MS);
    await worker.stop();
    expect(lines('The worker could not look for work.')).not.toEqual([]);
    expect(await telemetry.series('partner_hiring.delivery.due')).toEqual([]);
    expect(lines('The backlog could not be read.')).not.toEqual([]);
    failWith = null;
    expect(await telemetry.series('partner_hiring.delivery.due')).toMatchObject([{ value: 0 }]);
    const seen = logger.text() + (await telemetry.everything());
    expect(secrets().filter((secret) => seen.includes(secret))).toEqual([]);
  });

  it('and transactions that begin again are counted', async () => {
    contend = true;
    await world.operator.partners.add({ name: 'Globex' });
    expect(await telemetry.series('partner_hiring.transaction.retries')).toMatchObject([{ value: 1 }]);
  });
});

describe('webhooks', () => {
  it('are measured by outcome, and traced by host, whatever receivers answer', async () => {
    const id = await partnersCall();
    const echo = () => `${partner.signingSecret} ${CANDIDATE.email} ${world.transport.attempts.at(-1)?.body}`;
    const outcomes = [
      { ...answered(500), excerpt: echo() },
      { ...answered(302), excerpt: WEBHOOK_URL },
      { ...answered(404), excerpt: echo() },
      { kind: 'failed', failure: 'timed_out', message: `No answer from ${WEBHOOK_URL} in time.` },
      { kind: 'failed', failure: 'address_refused', message: `${WEBHOOK_URL} is private.` },
      { ...answered(204), excerpt: echo() },
    ] as const;
    let attempts = 0;
    world.transport.answerWith(() => {
      // What instruments the client would tell the whole URL.
      trace.getTracer('undici').startSpan(`POST ${WEBHOOK_URL}`).end();
      return outcomes[attempts++] ?? answered(200);
    });
    const sentBefore = await telemetry.series('partner_hiring.delivery.latency');
    await world.operator.applications.beginEvaluation({ id });
    await world.operator.applications.decide({ id, decision: 'rejected' });
    await world.partnerHiring.worker.drain();
    for (let hours = 0; hours < 20 && attempts < outcomes.length; hours += 1) await world.pass(HOUR_MS);

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

  it('that wait are measured when somebody collects', async () => {
    await world.operator.jobs.close({ id: jobId });
    await world.clock.advance(30 * SECOND_MS);
    expect(await telemetry.series('partner_hiring.delivery.due')).toMatchObject([{ value: 1 }]);
    expect(await telemetry.series('partner_hiring.delivery.due.age')).toMatchObject([
      { value: expect.closeTo(30, 1) },
    ]);
    await world.partnerHiring.worker.drain();
    expect(await telemetry.series('partner_hiring.delivery.due')).toMatchObject([{ value: 0 }]);
    expect(await telemetry.series('partner_hiring.delivery.due.age')).toMatchObject([{ value: 0 }]);
  });

  it('pauses, resumes and dead letters are counted by reason and logged once each', async () => {
    const { operator, partnerHiring } = world;
    const target = { keyId: partner.keyId };
    await operator.endpoints.pause(target);
    await operator.endpoints.pause(target);
    await operator.endpoints.resume(target);
    await operator.endpoints.resume(target);

    world.transport.answerWith(() => ({ ...answered(410), excerpt: `${partner.signingSecret}` }));
    await operator.jobs.close({ id: jobId });
    await partnerHiring.worker.drain();
    await operator.endpoints.resume(target);
    world.transport.answerWith(() => ({ ...answered(503), excerpt: `${partner.signingSecret}` }));
    for (let days = 0; days < 14; days += 1) {
      await world.pass(DAY_MS, HOUR_MS * 6);
      await operator.endpoints.resume(target);
    }

    const count = (kind: string) => world.alerts.filter((alert) => alert.kind === kind).length;
    expect(count('delivery_dead')).toBe(1);
    expect(await telemetry.series('partner_hiring.delivery.dead_letters')).toMatchObject([{ value: 1 }]);
    const pauses = await by('partner_hiring.endpoint.pauses', 'partner_hiring.pause.reason');
    expect(pauses).toMatchObject({ operator: 1, gone: 1, no_success: count('endpoint_paused') - 1 });
    expect(await by('partner_hiring.endpoint.resumes', 'partner_hiring.pause.reason')).toEqual(pauses);
    const alerted = logger.lines.filter(({ fields }) => 'alert' in fields);
    expect(alerted.map(({ fields }) => fields.alert)).toEqual(world.alerts);
    expect(new Set(alerted.map(({ level }) => level))).toEqual(new Set(['warn']));
    expect(lines('The operator paused')).toMatchObject([{ level: 'warn', fields: target }]);
    await expectNothingPrivate();
  });

  it('whose transport breaks its promise tell nothing of what they carried', async () => {
    world.transport.answerWith((request) => {
      throw Object.assign(new Error(`POST ${WEBHOOK_URL} failed: ${JSON.stringify(request)}`), { request });
    });
    await world.operator.jobs.close({ id: jobId });
    const { worker } = world.partnerHiring;
    worker.start();
    await world.clock.advance(SECOND_MS);
    expect(lines('Events cannot be sent')).toMatchObject([
      { level: 'error', fields: { keyId: partner.keyId } },
    ]);
    world.transport.answerWith(() => answered(200));
    await worker.stop();
    const seen = logger.text() + (await telemetry.everything());
    expect(secrets().filter((secret) => seen.includes(secret))).toEqual([]);
    expect(spansOf('partner_hiring.attempt').at(-1)?.attributes['error.type']).toBe('transport_broke');
  });
});

describe('résumés', () => {
  it('are measured by outcome, and nothing is told of where they lie', async () => {
    const outcomes: (() => ResumeDownload)[] = [
      () => ({ kind: 'failed', reason: 'timed_out', retryable: true }),
      () => {
        throw new Error(`GET ${RESUME_URL} failed for ${CANDIDATE.email}`);
      },
      () => ({
        kind: 'fetched',
        bytes: new Uint8Array([37]),
        mediaType: 'application/pdf',
        fileName: `${CANDIDATE.lastName}.pdf`,
      }),
    ];
    download = (url) => {
      trace.getTracer('undici').startSpan(`GET ${url}`).end();
      return (outcomes.shift() ?? (() => ({ kind: 'failed', reason: 'empty', retryable: false }) as const))();
    };
    await partnersCall();
    await world.partnerHiring.worker.drain();
    for (let hours = 0; hours < 6; hours += 1) await world.pass(HOUR_MS);
    expect(world.resumes).toHaveLength(1);
    expect(await by('partner_hiring.resume.fetch.duration', 'partner_hiring.resume.outcome')).toEqual({
      timed_out: 1,
      not_fetched: 1,
      fetched: 1,
    });
    expect(spansOf('partner_hiring.resume.fetch')).toHaveLength(3);
    expect(lines('A résumé could not be fetched')).toHaveLength(1);
    await expectNothingPrivate();
  });
});
