/** Plays the pages for hosts that embed the library. Those on PostgreSQL have their own file. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JobId, KeyId, Operator, ResumeScanner } from '@partner-hiring/core';
import type { Database } from 'better-sqlite3';
import * as fc from 'fast-check';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Hono } from 'hono';
import { expect, onTestFinished, vi } from 'vitest';
import { startPartnerReceiver } from '../../examples/server/demo/partner-receiver.js';
import { csvCell } from '../../packages/console/src/screens/parts/export-csv.js';
import { startClamd } from './clamd.js';
import { exported, partnerHiringOf } from './exported.js';
import { fencesOf, readPage } from './fences.js';
import { apply, expectServed, freePort, KEY, KEY_ON_THIS_MACHINE, letIn, PATH, type Send } from './host.js';
import { tell } from './tell.js';
import { playUntilSignal } from './until-signal.js';

/** Replacements that let webhooks reach this machine, for programs that do not read the variable. */
const ON_THIS_MACHINE = {
  'secretKey, resumeScanner': 'secretKey, allowPrivateNetworks: true, resumeScanner',
  'secretKey,\n  resumeSink': 'secretKey,\n  allowPrivateNetworks: true,\n  resumeSink',
};

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
  expect((await partnerHiring.operator.system.status()).inbox).toMatchObject({ isOn: true, unread: 0 });
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
  const shown = readPage('docs/embed.md').matchAll(/`(\/partner-docs[\w./-]*)`/g);
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
  const parts = [...'=+-@＝＋－＠,;|\t\r\n" a1\u200b\u00a0'];
  await fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...parts) }), (text) => {
      expect(toCell(text)).toBe(csvCell(text));
    }),
  );
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
  // A scheduled job is its own process.
  vi.resetModules();
  await page.play();
  await partnerHiringOf(page);
  expect(receiver.events().map(({ type }) => type)).toEqual(['job.opened', 'job.closed']);

  await page.play();
  await page.play();
  const taking = await partnerHiringOf(page, 'with-resumes.ts');
  const { secret } = await letIn(taking);
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
