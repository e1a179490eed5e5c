/** Plays the pages for hosts. Those on PostgreSQL have their own file. */
import { existsSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { metrics, trace } from '@opentelemetry/api';
import type { MeterProvider } from '@opentelemetry/sdk-metrics';
import type { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import {
  type ApplicationId,
  createSecretBox,
  type EventId,
  type JobId,
  type KeyId,
  type ListedApplication,
  type Logger,
  type Operation,
  type Operator,
  type Page,
  type ResumeScanner,
  type ResumeSink,
  type SecretBox,
} from '@partner-hiring/core';
import Sqlite, { type Database } from 'better-sqlite3';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Hono } from 'hono';
import { expect, onTestFinished, vi } from 'vitest';
import { startPartnerReceiver } from '../../examples/server/demo/partner-receiver.js';
import { startClamd } from './clamd.js';
import { exported, partnerHiringOf } from './exported.js';
import { fencesOf, readPage } from './fences.js';
import { apply, freePort, letIn } from './host.js';
import { tell } from './tell.js';
import { playUntilSignal } from './until-signal.js';

const KEY = { PARTNER_HIRING_SEALING_KEY: '0123456789abcdef'.repeat(4) };
/** For pages whose webhooks must reach this machine. */
const KEY_ON_THIS_MACHINE = { ...KEY, ALLOW_PRIVATE_NETWORKS: 'yes' };
const PATH = '/api/v1/external';
/** The same for programs that do not read the variable. */
const ON_THIS_MACHINE = {
  'secretKey,\n  alerts': 'secretKey,\n  allowPrivateNetworks: true,\n  alerts',
  'secretKey, resumeScanner': 'secretKey, allowPrivateNetworks: true, resumeScanner',
  'secretKey,\n  resumeSink': 'secretKey,\n  allowPrivateNetworks: true,\n  resumeSink',
};

type Send = (request: Request) => Promise<Response>;

/** Expects the API to answer a valid key, and to refuse a request without one. */
async function expectServed(origin: string, key: string, send: Send = fetch): Promise<void> {
  const get = (headers: Readonly<Record<string, string>>) =>
    send(new Request(`${origin}${PATH}/jobs`, { headers: { ...headers } }));
  const allowed = await get({ authorization: `Bearer ${key}` });
  expect(allowed.status).toBe(200);
  expect(await allowed.json()).toMatchObject({ data: [{ id: 'job_01k2f7' }] });
  const refused = await get({});
  expect(refused.status).toBe(401);
  expect(await refused.json()).toMatchObject({ error: 'UNAUTHORIZED' });
}

/** The quick start must reach a verified webhook with this many lines of the host's code. */
const MAX_HOST_LINES = 40;

/** The host's lines of code in the quick start, without the partner's receiver, blank lines and comments. */
const HOST_LINES = fencesOf('docs/quick-start-host.md')
  .filter(({ kind, fileName }) => kind === 'ts' && fileName !== 'receiver.ts')
  .flatMap(({ text }) => text.split('\n'))
  .filter((line) => line.trim() !== '' && !line.startsWith('//'));

tell('docs/quick-start-host.md', async (open) => {
  expect(HOST_LINES.length).toBeLessThanOrEqual(MAX_HOST_LINES);
  const page = open({ filling: { '3000': await freePort(), '4000': await freePort() } });
  await page.run();
  for (const name of ['PARTNER_HIRING_SEALING_KEY', 'ALLOW_PRIVATE_NETWORKS']) {
    vi.stubEnv(name, (await page.shell.run(`echo "$${name}"`)).trim());
  }
  await page.play();
  const partnerHiring = await partnerHiringOf(page);
  const { stop } = await playUntilSignal(page.play);

  await page.play();
  const [key = ''] = /pek_live_[\w-]+/.exec(page.printed()) ?? [];
  const [signingSecret = ''] = /whsec_[\w-]+/.exec(page.printed()) ?? [];
  vi.stubEnv('WEBHOOK_SECRET', signingSecret);
  const receiver = exported<FastifyInstance>(await page.play(), 'app');
  onTestFinished(() => receiver.close());
  const replies = await page.run({ 'pek_live_…': key });
  expect(replies).toContain('"title":"Line Cook"');
  const [id] = /ej_app_\w+/.exec(replies) ?? [];

  await page.play();
  expect(JSON.parse(await page.run())).toMatchObject({ data: [{ id, currentStage: 'Hired' }] });
  const [{ key: issued } = { key: undefined }] = (await partnerHiring.operator.keys.list()).items;
  const { items: deliveries } = await partnerHiring.operator.deliveries.list({ keyId: issued?.id as KeyId });
  expect(deliveries).toHaveLength(2);
  const verified = () => expect(page.printed()).toMatch(/^Verified application\.status_changed evt_/m);
  await vi.waitFor(verified, 60_000);
  expect(await partnerHiring.operator.inbox.status()).toMatchObject({ isOn: true, unread: 0 });
  await stop();
  await expect(partnerHiring.operator.keys.list()).rejects.toThrow();
});

tell('docs/embed.md', async (open) => {
  const page = open({ filling: { '3000': '0' }, env: KEY });
  const partnerHiring = await partnerHiringOf(page);
  const { secret } = await letIn(partnerHiring);

  await page.run();
  const fastify = exported<FastifyInstance>(await page.play(), 'app');
  await expectServed(`http://127.0.0.1:${(fastify.server.address() as AddressInfo).port}`, secret);

  await page.run();
  const express = exported<Server>(await page.play(), 'server');
  onTestFinished(async () => void express.close());
  await expectServed(`http://127.0.0.1:${(express.address() as AddressInfo).port}`, secret);

  const next = await page.play();
  await expectServed('http://localhost', secret, exported<Send>(next, 'GET'));
  const refused = await exported<Send>(
    next,
    'DELETE',
  )(
    new Request(`http://localhost${PATH}/jobs`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${secret}` },
    }),
  );
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD']);

  await page.run();
  const node = exported<Server>(await page.play(), 'server');
  onTestFinished(async () => void node.close());
  await expectServed(`http://127.0.0.1:${(node.address() as AddressInfo).port}`, secret);

  const hono = exported<Hono>(await page.play(), 'app');
  await expectServed('http://localhost', secret, async (request) => hono.fetch(request));
  await expectServed('http://localhost', secret, exported<Send>(await page.play(), 'serve'));

  await page.play();
  await page.play();
  const host = exported<FastifyInstance>(await page.load('my-app.ts'), 'app');
  const shown = readPage('docs/embed.md').matchAll(/^\| `(\/partner-docs\/[\w.-]+)`/gm);
  for (const [, path = ''] of shown) expect((await host.inject(path)).statusCode, path).toBe(200);
  expect((await host.inject('/partner-docs/errors-and-limits.md')).body).toContain(
    '| 20, or 100 in bootstrap',
  );
  const { servers } = (await host.inject('/openapi.json')).json<{ servers: unknown }>();
  expect(servers).toMatchObject([{ url: `https://hiring.example.com${PATH}` }]);

  const probed = Fastify();
  exported<(app: FastifyInstance) => void>(await page.play(), 'serveHealth')(probed);
  const probe = async (path: string) => (await probed.inject(path)).statusCode;
  expect([await probe('/livez'), await probe('/readyz')]).toEqual([200, 200]);

  const { stop } = await playUntilSignal(page.play);
  await stop();
  expect([await probe('/livez'), await probe('/readyz')]).toEqual([200, 503]);
  expect(fastify.server.listening).toBe(false);
  await expect(partnerHiring.operator.keys.list()).rejects.toThrow();
});

tell('docs/host-guide.md', async (open) => {
  const page = open({ filling: { 'ats.example.org': 'ats.invalid' }, env: KEY });
  const operator = exported<Operator<Database>>(await page.play(), 'operator');
  const [secret = ''] = /pek_live_[\w-]+/.exec(page.printed()) ?? [];
  expect(page.printed()).toContain('whsec_');

  const job = exported<{ readonly id: JobId }>(await page.play(), 'job');
  const found = await operator.jobs.find({ id: job.id });
  expect(found).toMatchObject({ id: 'job_4711', title: 'Line Cook, evenings' });
  const { fetch: send } = await partnerHiringOf(page);
  const id = await apply(`http://localhost${PATH}`, secret, { jobId: job.id, send });
  await page.play();
  expect(await operator.applications.find({ id })).toMatchObject({ status: 'accepted' });

  await page.play();
  const sandboxed = await partnerHiringOf(page, 'with-sandbox.ts');
  const app = exported<FastifyInstance>(await page.load('my-app.ts'), 'app');
  const html = await app.inject('/sandbox');
  expect(html.body).toContain('accepted@sandbox.example');
  expect(html.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
    'x-content-type-options': 'nosniff',
  });
  const { id: partnerId } = await sandboxed.operator.partners.create({ name: 'ATS' });
  const { secret: testKey } = await sandboxed.operator.keys.issue({ partnerId, environment: 'sandbox' });
  const jobs = await sandboxed.fetch(
    new Request(`http://localhost${PATH}/jobs`, { headers: { authorization: `Bearer ${testKey}` } }),
  );
  expect(await jobs.text()).toContain('job_sandbox_open_');

  const named = { firstName: '=HYPERLINK("https://evil.example")', lastName: '＠SUM(1)' };
  const hostile = await apply(`http://localhost${PATH}`, secret, { jobId: job.id, send, named });
  const program = await page.play();
  const line = exported<string>(program, 'csv')
    .split('\r\n')
    .find((row) => row.includes(hostile));
  expect(line).toBe(
    `"${hostile}","'=HYPERLINK(""https://evil.example"")","'＠SUM(1)","ada@example.com","'+17755550123"`,
  );
  const toCell = exported<(text: string) => string>(program, 'toCell');
  for (const start of ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－']) {
    expect(toCell(`${start}1`)).toBe(`"'${start}1"`);
  }
  for (const harmless of ['Ada', '1+1', 'a=b', ' =', '']) expect(toCell(harmless)).toBe(`"${harmless}"`);
});

tell('docs/worker.md', async (open) => {
  // The receiver's résumé is a PDF.
  const filling = { ...ON_THIS_MACHINE, '3310': await startClamd('%PDF-') };
  const page = open({ filling, env: KEY_ON_THIS_MACHINE });
  const receiver = await startPartnerReceiver();
  onTestFinished(() => receiver.close());
  const partnerHiring = await partnerHiringOf(page);
  const issued = await letIn(partnerHiring, receiver.webhookUrl);
  receiver.setSecrets([issued.endpoint?.signingSecret ?? '']);
  await playUntilSignal(page.play);
  await receiver.waitForEvent(({ type }) => type === 'job.opened', 'Waiting for the worker');
  await partnerHiring.worker.stop();
  await partnerHiring.operator.jobs.close({ id: 'job_01k2f7' });
  expect(await page.play()).toMatchObject({ sleepy: { idlePollMs: 3_600_000 } });
  // A scheduled job is its own process.
  vi.resetModules();
  await page.play();
  await partnerHiringOf(page);
  expect(receiver.events().map(({ type }) => type)).toEqual(['job.opened', 'job.closed']);

  await page.play();
  await page.play();
  const alerting = await partnerHiringOf(page, 'with-alerts.ts');
  await letIn(alerting, await startGone());
  await alerting.worker.drain();
  const notified = exported<readonly object[]>(await page.load('my-pager.ts'), 'notified');
  expect(notified).toMatchObject([{ kind: 'endpoint_paused', reason: 'gone' }]);
  expect(notified).toMatchObject([{ deduplicationKey: expect.stringMatching(/./) }]);

  await page.play();
  const taking = await partnerHiringOf(page, 'with-resumes.ts');
  const [key] = (await taking.operator.keys.list()).items;
  const { secret } = await taking.operator.keys.rotate({ keyId: key?.key.id as KeyId });
  const { resumeUrl } = receiver;
  const id = await apply(`http://localhost${PATH}`, secret, { resumeUrl, send: taking.fetch });
  await taking.worker.drain();
  const stored = exported<ReadonlyMap<string, object>>(await page.load('my-bucket.ts'), 'stored');
  expect([...stored.keys()]).toEqual([expect.stringContaining(`resumes/${id}/`)]);
  const application = await taking.operator.applications.find({ id });
  expect(application).toMatchObject({ resume: { kind: 'fetched' } });

  const scanning = exported<ResumeScanner>(await page.play(), 'resumeScanner');
  const refusing = await partnerHiringOf(page, 'with-scanner.ts');
  const refused = await apply(`http://localhost${PATH}`, secret, { resumeUrl, send: refusing.fetch });
  await refusing.worker.drain();
  const scanned = await refusing.operator.applications.find({ id: refused });
  const why = { kind: 'failed', reason: 'refused_by_scanner', detail: 'Eicar-Test-Signature' };
  expect(scanned?.resume).toMatchObject(why);
  const clean = {
    applicationId: id,
    bytes: Buffer.from('Ada'),
    mediaType: 'text/plain',
    fileName: 'ada.txt',
  };
  const { signal } = new AbortController();
  expect(await scanning.scan(clean, { signal })).toEqual({ kind: 'clean' });
  await expect(scanning.scan(clean, { signal: AbortSignal.abort() })).rejects.toThrow(/abort/);
});

tell('docs/find.md', async (open) => {
  const page = open({ filling: { job_4711: 'job_01k2f7', 'acme-4711': 'source-1' }, env: KEY });
  const partnerHiring = await partnerHiringOf(page);
  const { secret } = await letIn(partnerHiring);
  const named = { lastName: 'García' };
  const id = await apply(`http://localhost${PATH}`, secret, { named, send: partnerHiring.fetch });
  await partnerHiring.operator.applications.beginEvaluation({ id });
  const found = await page.play();
  expect(page.printed()).toContain(`${id} García Acme ATS`);
  expect(exported<Page<ListedApplication>>(found, 'byName').items).toMatchObject([{ id }]);
  expect(exported<Page<ListedApplication>>(found, 'bySourceId').items).toEqual([]);
  expect(page.next('sh').text).toContain('--changed-since');
});

tell('docs/audit.md', async (open) => {
  const page = open({ env: KEY });
  const partnerHiring = await partnerHiringOf(page);
  await letIn(partnerHiring);
  const id = 'job_01k2f7';
  const said = await page.play();
  await exported<(...words: string[]) => Promise<void>>(said, 'closeAs')('user_42', 'Ada', id, 'ticket 815');
  const whoChanged = exported<(id: string) => Promise<readonly string[]>>(said, 'whoChanged');
  expect(await whoChanged(id)).toMatchObject([
    expect.stringMatching(/^\S+Z user_42 jobs\.close \{"state":"open"\} \{"state":"closed"\}$/),
    expect.stringMatching(/^\S+Z host jobs\.publish null /),
  ]);
  const { items: entries } = await partnerHiring.operator.audit.list({ actorId: 'user_42' });
  expect(entries).toMatchObject([{ actor: { name: 'Ada', reason: 'ticket 815' } }]);
});

tell('docs/requests.md', async (open) => {
  const page = open({ env: KEY });
  const partnerHiring = await partnerHiringOf(page);
  const { key, secret } = await letIn(partnerHiring);
  const id = await apply(`http://localhost${PATH}`, secret, { send: partnerHiring.fetch });
  const headers = { authorization: `Bearer ${secret}` };
  await partnerHiring.fetch(new Request(`http://localhost${PATH}/jobs`, { headers }));
  const reply = await partnerHiring.fetch(new Request(`http://localhost${PATH}/jobs?limit=x`, { headers }));
  const told = (await page.play()) as unknown as Readonly<
    Record<'explain' | 'failures' | 'requestsOf' | 'lastReads', (about: string) => Promise<string | string[]>>
  >;
  expect(await told.explain(reply.headers.get('x-request-id') ?? '')).toMatch(
    /^VALIDATION_ERROR limit\nEach field/,
  );
  expect(await told.explain('none')).toBe('The log does not have this request.');
  expect(await told.failures(key.id)).toEqual(['VALIDATION_ERROR 1']);
  const [submitted] = await told.requestsOf(id);
  expect(await told.explain(submitted?.split(' ')[0] ?? '')).toContain(id);
  expect((await told.lastReads(key.id)).toString()).toContain('/jobs 20');
  expect(page.next('sh').text).toContain('requests find');
});

tell('docs/timelines.md', async (open) => {
  const page = open({ env: KEY });
  const partnerHiring = await partnerHiringOf(page);
  const { key, secret } = await letIn(partnerHiring);
  const id = await apply(`http://localhost${PATH}`, secret, { send: partnerHiring.fetch });
  await partnerHiring.operator.applications.beginEvaluation({ id });
  const told = (await page.play()) as unknown as Readonly<
    Record<
      'doesThePartnerKnow' | 'story' | 'whoClosed' | 'lastHour',
      (...about: string[]) => Promise<string | string[]>
    >
  >;
  expect(await told.doesThePartnerKnow(id)).toMatch(/^no_event: This change causes no event/);
  expect(await told.story(id)).toEqual([
    expect.stringMatching(/^20\S+Z Acme ATS \(production\) submitted application /),
    expect.stringMatching(/waits in the inbox\.$/),
    expect.stringMatching(/got 201/),
    expect.stringMatching(/^20\S+Z host called applications\.beginEvaluation on application /),
  ]);
  await partnerHiring.operator.jobs.close({ id: 'job_01k2f7' });
  expect(await told.whoClosed('job_01k2f7', key.id)).toMatch(/^host called jobs\.close on job job_01k2f7: /);
  expect((await told.lastHour(key.id)).toString()).toContain('host called keys.issue on key ');
  expect(page.next('sh').text).toContain('applications timeline');
});

tell('docs/operations.md', async (open) => {
  const page = open({ filling: { "state: 'dead'": "state: 'pending'" }, env: KEY_ON_THIS_MACHINE });
  const partnerHiring = await partnerHiringOf(page);
  const { key } = await letIn(partnerHiring, await startGone(500));
  await partnerHiring.worker.drain();

  await page.play();
  expect(page.printed()).toMatch(/scheduled: 1,/);
  expect(page.printed()).toMatch(/state: 'pending'/);

  const { items: deliveries } = await partnerHiring.operator.deliveries.list({ keyId: key.id });
  const asked = await page.play();
  const whenDelivered = exported<(keyId: KeyId, eventId: EventId) => Promise<string>>(asked, 'whenDelivered');
  expect(await whenDelivered(key.id, deliveries[0]?.eventId ?? 'evt_')).toBe('pending');
  expect(await whenDelivered(key.id, 'evt_none')).toMatch(/^unknown/);
  const decisionDelivered = exported<(id: ApplicationId) => Promise<string>>(asked, 'decisionDelivered');
  await expect(decisionDelivered('ej_app_none')).rejects.toMatchObject({ code: 'APPLICATION_NOT_FOUND' });

  await page.play();
  expect(page.printed()).toMatch(/http:\/\/\S+ \d{4}-\d\d-\d\dT\S+ 1 500 1/);

  const shown = await page.play();
  expect(page.printed()).toMatch(/sqlite 3\.\d+\.\d+ \d+ 0 /);
  expect(page.printed()).toMatch(/Z 0 1 \[\]/);
  const failureRates = exported<(keyId: KeyId) => Promise<readonly number[]>>(shown, 'failureRates');
  expect((await failureRates(key.id)).at(-1)).toBe(1);

  const [event] = (await partnerHiring.operator.deliveries.list({ keyId: key.id })).items;
  const eventId = event?.eventId as EventId;
  const again = await page.play();
  const resumeIfBack = exported<(keyId: KeyId) => Promise<boolean>>(again, 'resumeIfBack');
  expect(await resumeIfBack(key.id)).toBe(false);
  await exported<(keyId: KeyId, eventId: EventId) => Promise<void>>(again, 'giveUp')(key.id, eventId);
  const stateOf = async () =>
    (await partnerHiring.operator.deliveries.find({ keyId: key.id, eventId }))?.delivery.state;
  expect(await stateOf()).toBe('cancelled');
  const sendAgain = exported<SendAgain>(again, 'sendAgain');
  await sendAgain(key.id, [eventId], 0);
  expect(await stateOf()).toBe('pending');
  const sendAfterOutage = exported<(keyId: KeyId) => Promise<number>>(again, 'sendAfterOutage');
  expect(await sendAfterOutage(key.id)).toBe(0);
  await partnerHiring.worker.drain();
  expect(await sendAfterOutage(key.id)).toBe(1);

  const long = await page.play();
  const resend = exported<(keyId: KeyId) => Promise<string | null>>(long, 'resendDeadLetters');
  expect(await resend(key.id)).toBeNull();
  await partnerHiring.operator.jobs.publishInSteps([]);
  await exported<() => Promise<void>>(long, 'stopAll')();
  expect(page.printed()).toContain('publish_jobs 0 0');
  const { items: operations } = await partnerHiring.operator.operations.list();
  expect(operations).toMatchObject([{ state: 'stopped' }]);

  const database = new Sqlite(join(page.folder, 'partner-hiring.sqlite'));
  const applied = database.prepare(page.next('sql').text.replace('partner_hiring.', '')).all();
  database.close();
  expect(applied[0]).toEqual({
    version: 1,
    name: expect.stringMatching(/^tables_[0-9a-f]{8}$/),
    oldest_compatible: null,
  });
});

tell('docs/observe.md', async (open) => {
  const dumped: unknown[] = [];
  vi.spyOn(console, 'dir').mockImplementation((said: unknown) => void dumped.push(said));
  const page = open({ env: KEY });
  const telemetry = await page.play();
  const meters = exported<MeterProvider>(telemetry, 'meters');
  const tracers = exported<BasicTracerProvider>(telemetry, 'tracers');
  onTestFinished(async () => {
    metrics.disable();
    trace.disable();
    await meters.shutdown();
    await tracers.shutdown();
  });
  const partnerHiring = await partnerHiringOf(page);
  const { secret } = await letIn(partnerHiring);
  await expectServed('http://localhost', secret, partnerHiring.fetch);
  await meters.forceFlush();
  await tracers.forceFlush();
  expect(dumped).toContainEqual(
    expect.objectContaining({
      descriptor: expect.objectContaining({ name: 'http.server.request.duration' }),
    }),
  );
  expect(dumped).toContainEqual(expect.objectContaining({ name: `GET ${PATH}/jobs` }));

  // A scenario of the worker runs the alarms.
  expect(page.next('text').text).toContain('partner_hiring_delivery_due_age_seconds');
  expect(page.next('text').text).toContain('partner_hiring_endpoint_pauses_total');

  const logger = exported<Logger>(await page.play(), 'logger');
  logger.warn({ keyId: 'key_1' }, 'It was paused.');
  expect(page.printed()).toContain('{"level":"warn","message":"It was paused.","keyId":"key_1"}');
});

tell('docs/retention-and-backup.md', async (open) => {
  const NEXT_KEY = 'fedcba9876543210'.repeat(4);
  const page = open({ env: { ...KEY, PARTNER_HIRING_NEXT_SEALING_KEY: NEXT_KEY } });
  const partnerHiring = await partnerHiringOf(page);
  const { secret } = await letIn(partnerHiring);
  const resumeUrl = 'https://files.invalid/ada.pdf';
  await apply(`http://localhost${PATH}`, secret, { resumeUrl, send: partnerHiring.fetch });

  const read = (file: string) => {
    const database = new Sqlite(join(page.folder, file));
    try {
      return JSON.stringify(ofCandidates(database));
    } finally {
      database.close();
    }
  };
  expect(read('partner-hiring.sqlite')).toMatch(/Reyes.*ada\.pdf/);
  await page.play();
  expect(read('backup.sqlite')).toBe(read('partner-hiring.sqlite'));
  const modes = ['backup.sqlite', 'partner-hiring.sqlite'].map(
    (file) => statSync(join(page.folder, file)).mode,
  );
  expect(modes.map((mode) => mode & 0o777)).toEqual([0o600, 0o600]);

  const moving = exported<SecretBox>(await page.play(), 'secretBox');
  const context = { purpose: 'webhook_signing_secret', keyId: 'key_1' } as const;
  const old = createSecretBox(KEY.PARTNER_HIRING_SEALING_KEY).seal('whsec_old', context);
  expect(moving.open(old, context)).toBe('whsec_old');
  const next = createSecretBox(NEXT_KEY).open(moving.seal('whsec_new', context), context);
  expect(next).toBe('whsec_new');
});

tell('docs/personal-data.md', async (open) => {
  const page = open({ env: KEY });
  const partnerHiring = await partnerHiringOf(page);
  const { secret } = await letIn(partnerHiring);
  const submitted = await apply(`http://localhost${PATH}`, secret, { send: partnerHiring.fetch });
  const { exportPerson, erasePerson } = (await page.play()) as unknown as Readonly<
    Record<'exportPerson' | 'erasePerson', (email: string) => Promise<string>>
  >;
  const found = await partnerHiring.operator.applications.find({ id: submitted as ApplicationId });
  const email = found?.candidate.email ?? '';
  const { showCandidate, whoSaw } = (await page.play()) as unknown as {
    readonly showCandidate: (userId: string, reason: string, id: string) => Promise<string>;
    readonly whoSaw: (id: string) => Promise<readonly string[]>;
  };
  expect(await whoSaw(submitted)).toEqual([]);
  expect(await showCandidate('user_42', 'ticket 815', submitted)).toContain(`"email": "${email}"`);
  expect(await whoSaw(submitted)).toEqual(['user_42']);
  expect(await exportPerson(email.toUpperCase())).toContain(`"email": "${email}"`);
  expect(JSON.parse(await erasePerson(email))).toMatchObject({ applications: [{ id: submitted }] });
  expect(JSON.parse(await exportPerson(email))).toMatchObject({ applications: [] });

  const sink = exported<ResumeSink>(await page.play(), 'resumeSink');
  const file = { applicationId: 'ej_app_1', mediaType: 'text/plain', fileName: 'cv.txt' } as const;
  vi.stubEnv('RESUME_FOLDER', page.folder);
  const { location } = await sink.store({ ...file, bytes: Buffer.from('cv') });
  await sink.remove?.({ applicationId: 'ej_app_1', location });
  expect(existsSync(location)).toBe(false);

  const retaining = await page.play();
  await partnerHiringOf(page, 'my-retention.ts');
  expect(exported<number>(retaining, 'count')).toBe(0);
  expect(exported<Operation>(retaining, 'operation')).toMatchObject({ state: 'running' });
});

type SendAgain = (keyId: KeyId, eventIds: readonly EventId[], since: number) => Promise<void>;

/** Returns all rows that may contain candidates' data. */
function ofCandidates(database: Database): unknown {
  const rows = (table: string) => database.prepare(`select * from ${table}`).all();
  return [rows('ph_application'), rows('ph_resume_task'), rows('ph_event')];
}

/** Starts an endpoint that always answers with this status, and returns its URL. */
async function startGone(status = 410): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`;
}
