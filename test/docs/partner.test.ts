/** Plays the pages for partners. */
import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { join } from 'node:path';
import type { Job, MemorySyncStore } from '@partner-hiring/client';
import type { ApplicationId, JobId } from '@partner-hiring/core';
import { sandboxJobId, WIRE_SAMPLES } from '@partner-hiring/core/contract';
import { createOpenApiDocument, sandboxMarkdown, sandboxPage } from '@partner-hiring/partner-docs';
import { signWebhook } from '@partner-hiring/webhook-verifier';
import { expect, onTestFinished, vi } from 'vitest';
import { startPartnerReceiver } from '../../examples/server/demo/partner-receiver.js';
import { RIGHT, SECRET, startReceiver } from '../certify/receiver.js';
import { createSchemaChecker } from '../conformance/suite/openapi/contract.js';
import { expectDescribed } from './described.js';
import { exported } from './exported.js';
import { fencesOf } from './fences.js';
import { apply, callApplications, freePort, startHost, startSandbox } from './host.js';
import { tell } from './tell.js';

const READY = 'Stop with Ctrl-C.';
const SOON_MS = 30_000;
const EXAMPLE = { PARTNER_HIRING_SEALING_KEY: '', PORT: '0', RECEIVER_PORT: '0' };

type KeyOf = (body: Buffer, headers: Headers) => Promise<string | null>;
type IsGenuine = (body: Buffer, header: string, secret: string, now: number) => boolean;

/** Replaces the signature and time of a delivery's headers. */
function anyones(headers: string): string {
  return headers.replace(/v1=[0-9a-f]+…?/, 'v1=…').replaceAll(/\d{10}/g, 't');
}

/** Reads what the example server prints about the sandbox. */
function sandboxOf(printed: string) {
  const find = (pattern: RegExp) => pattern.exec(printed)?.[1] ?? '';
  return {
    baseUrl: find(/Base URL\s+(\S+)/),
    key: find(/(pek_test_[\w-]+)/),
    secret: find(/pek_test_[\s\S]*?(whsec_[\w-]+)/),
  };
}

tell('docs/quick-start-partner.md', async (open) => {
  const page = open({ filling: { '4000': await freePort() }, env: EXAMPLE });
  await page.shell.run(`DATABASE_FILE=${join(page.folder, 'example.sqlite')}`);
  const { baseUrl, key, secret } = sandboxOf((await page.start({}, READY))());
  const env = { PARTNER_API_URL: baseUrl, PARTNER_API_KEY: key, WEBHOOK_SECRET: secret };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  await page.run({
    'http://127.0.0.1:3000/api/v1/external': baseUrl,
    'pek_test_…': key,
    'whsec_…': secret,
  });

  const html = await fetch(new URL('/sandbox', baseUrl));
  expect(html.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const selfService = { events: true };
  const support = { email: 'partners@hiring.example.com' };
  const docsUrl = new URL('/partner-docs', baseUrl).href;
  expect(await html.text()).toBe(sandboxPage({ baseUrl, docsUrl, selfService, support }));

  const { data } = JSON.parse(await page.run()) as { readonly data: readonly { readonly id: string }[] };
  expect(data).toHaveLength(1);

  await page.run();
  const receiver = exported<Server>(await page.play(), 'server');
  onTestFinished(async () => void receiver.close());
  await page.play();
  expect(page.printed()).toMatch(/ats-4711 is ej_app_\w+ \(created\)/);
  await vi.waitFor(() => expect(page.printed()).toContain('ats-4711 is accepted'), SOON_MS);

  const refused = vi.spyOn(console, 'warn').mockImplementation(() => {});
  expect(await page.run()).toMatch(/^Passed/m);
  expect(refused).toHaveBeenCalled();
  expect(await page.run()).toBe(page.next('text').text);
});

tell('docs/partner-guide.md', async (open) => {
  const { baseUrl, issued } = await startSandbox('http://127.0.0.1:9/');
  const page = open();
  await page.run({ 'https://hiring.example.com/api/v1/external': baseUrl, 'pek_test_…': issued.secret });

  const jobs = await page.run();
  const job = page.next('json');
  for (const text of [jobs, job.text]) expectDescribed({ ...job, text }, 'JobPage');

  const created = await page.run();
  const application = page.next('json');
  for (const text of [created, application.text]) {
    expectDescribed({ ...application, text }, 'CreatedApplication');
  }
  const { id } = JSON.parse(created) as { readonly id: ApplicationId };
  expect(JSON.parse(await page.run({ ej_app_01k2f9: id }))).toMatchObject({ id, status: 'received' });
  expect(JSON.parse(await page.run())).toMatchObject({ data: [{ id, status: 'received' }] });
});

tell('docs/sync.md', async (open) => {
  const { baseUrl, issued, partnerHiring } = await startHost();
  const [first, second] = [await apply(baseUrl, issued.secret), await apply(baseUrl, issued.secret)];
  const page = open({ env: { PARTNER_API_URL: baseUrl, PARTNER_API_KEY: issued.secret } });
  await page.shell.run(`BASE=${baseUrl}; KEY=${issued.secret}`);

  await page.play();
  expect(page.printed()).toBe('whole: 1 rows, 0 gone');
  expect((await page.run({ 'limit=200': 'limit=1' })).match(/ej_app_\w+/g)).toEqual([first, second]);

  const through = (await callApplications(baseUrl, issued.secret)).headers.get('x-updated-through') ?? '';
  await partnerHiring.operator.applications.move({ id: first });
  const changed = await page.run({ '2026-11-21T10:15:30.123Z': through });
  expect(changed).toMatch(/^x-updated-through: /im);
  expect(changed.match(/ej_app_\w+/g)).toEqual([first]);
});

tell('docs/events.md', async (open) => {
  const selfService = { events: true };
  const { baseUrl, issued, partnerHiring } = await startHost({ selfService });
  const { jobs } = partnerHiring.operator;
  const page = open({ env: { PARTNER_API_URL: baseUrl, PARTNER_API_KEY: issued.secret } });
  const own = { 'https://hiring.example.com/api/v1/external': baseUrl, 'pek_test_…': issued.secret };
  const listed = await page.run(own);
  const shown = page.next('json');
  const checker = createSchemaChecker(createOpenApiDocument({ selfService }));
  for (const text of [listed, shown.text]) {
    expect(checker.check({ $ref: '#/components/schemas/EventPage' }, JSON.parse(text))).toEqual([]);
  }

  page.next('py');
  const printed = await page.start({}, 'job.opened');
  expect(printed()).toContain(JSON.parse(listed).data[0].id);

  const followed = await page.play();
  const { rows } = exported<MemorySyncStore<Job>>(followed, 'jobs');
  const follow = exported<() => Promise<void>>(followed, 'follow');
  const [id] = [...rows.keys()] as [JobId];
  await jobs.close({ id });
  await jobs.reopen({ id });
  await follow();
  expect([page.printed().includes('job.closed'), rows.has(id)]).toEqual([true, true]);
  await jobs.close({ id });
  await follow();
  expect(rows.has(id)).toBe(false);

  await page.run();
  const receiver = await startReceiver({ ...RIGHT, secrets: ['whsec_of_your_choice'] });
  await page.start({ 'http://localhost:4000/webhooks': receiver }, 'job.opened: 204');
});

tell('docs/webhooks.md', async (open) => {
  const receiver = await startReceiver(RIGHT);
  const page = open({
    filling: { 'https://ats.example.com/webhooks': receiver },
    env: { WEBHOOK_SECRET: SECRET },
  });
  await page.run();
  const receive = exported<(request: Request) => Promise<Response>>(await page.play(), 'receive');
  const body = fencesOf('docs/webhooks.md').find(({ kind }) => kind === 'json')?.text ?? '';
  const headers = { ...(await signWebhook({ body, secret: SECRET })) };
  const request = (sent: string) =>
    receive(new Request('https://a/', { method: 'POST', headers, body: sent }));
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  expect((await request(body)).status).toBe(204);
  expect(page.printed()).toBe('ej_app_01k2f9 is accepted');
  expect((await request(`${body} `)).status).toBe(400);
  expect((await request('x'.repeat(1_048_577))).status).toBe(413);

  const sent = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`);
  expect(anyones(sent.join(''))).toBe(anyones(page.next('text').text));

  const isGenuine = exported<IsGenuine>(await page.play(), 'isGenuine');
  const signature = headers['X-Partner-Signature'];
  const now = Number(headers['X-Partner-Timestamp']);
  const bytes = Buffer.from(body);
  expect(isGenuine(bytes, signature, SECRET, now)).toBe(true);
  expect(isGenuine(bytes, signature.replace(',', ',v1=00,'), SECRET, now + 300)).toBe(true);
  expect(isGenuine(bytes, signature, SECRET, now + 301)).toBe(false);
  expect(isGenuine(bytes, signature, `${SECRET}x`, now)).toBe(false);
  expect(isGenuine(Buffer.from(`${body} `), signature, SECRET, now)).toBe(false);
  expect(isGenuine(bytes, 'nonsense', SECRET, now)).toBe(false);
  expect(isGenuine(bytes, signature.replace(/[0-9a-f]{64}$/, 'é'.repeat(64)), SECRET, now)).toBe(false);

  vi.stubEnv('SANDBOX_WEBHOOK_SECRET', 'whsec_sandbox');
  const keyOf = exported<KeyOf>(await page.play(), 'keyOf');
  const sandbox = await signWebhook({ body, secret: 'whsec_sandbox' });
  expect(await keyOf(bytes, new Headers(headers))).toBe('production');
  expect(await keyOf(bytes, new Headers({ ...sandbox }))).toBe('sandbox');
  expect(await keyOf(Buffer.from(`${body} `), new Headers(headers))).toBeNull();

  expectDescribed(page.next('json'), 'ApplicationStatusChangedEvent');
  expect(await page.run({ 'whsec_…': SECRET })).toMatch(/^Passed/m);
});

tell('docs/errors-and-limits.md', async (open) => {
  const page = open();
  expectDescribed(page.next('json'), 'ValidationError');
  expectDescribed(page.next('json'), 'RateLimitedError');
});

tell('docs/sandbox.md', async (open) => {
  const receiver = await startPartnerReceiver();
  onTestFinished(() => receiver.close());
  const { baseUrl, issued, partnerHiring } = await startSandbox(receiver.webhookUrl);
  receiver.setSecrets([issued.endpoint?.signingSecret ?? '']);
  const page = open();
  await page.shell.run(`BASE=${baseUrl}; KEY=${issued.secret}`);

  // The commands wait for their own application, not for an earlier one.
  const created = await callApplications(baseUrl, issued.secret, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() },
    body: JSON.stringify({
      jobId: sandboxJobId(issued.key.id, 'open'),
      candidate: { ...WIRE_SAMPLES.submission.candidate },
      consentToContact: true,
    }),
  });
  const { id: earlier } = (await created.json()) as { readonly id: ApplicationId };
  await partnerHiring.operator.applications.move({ id: earlier });
  await partnerHiring.operator.applications.decide({ id: earlier, decision: 'accepted' });

  const { id, status } = JSON.parse(await page.run()) as { readonly id: string; readonly status: string };
  expect(status).toBe('received');
  expect(JSON.parse(await page.run())).toMatchObject({ id, currentStage: 'Hired' });
  const event = await receiver.waitForEvent(
    ({ type, data }) => type === 'application.status_changed' && data.applicationId === id,
    'Waiting for the hire in the sandbox',
  );
  expect(event).toMatchObject({ data: { newStatus: 'accepted', currentStage: 'Hired' } });

  expect(JSON.parse(await page.run()).data).toContainEqual(expect.objectContaining({ id: event.id }));
  await page.shell.run(`WEBHOOK_SECRET=${issued.endpoint?.signingSecret}`);
  await page.start({ 'http://localhost:4000/webhooks': receiver.webhookUrl }, ': 20');

  // The page that a host makes for this partner needs nothing filled in.
  await page.shell.run('unset BASE KEY AUTH');
  const [, commands = ''] =
    /```sh\n(.*?)```/s.exec(sandboxMarkdown({ baseUrl, apiKey: issued.secret })) ?? [];
  expect(JSON.parse(await page.shell.run(commands))).toMatchObject({ status: 'received' });
});
