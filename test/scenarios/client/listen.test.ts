/** The command `partner-hiring-listen` on the real service: what the receiver gets, and what a person reads. */
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { createEmployer, createPartner } from '@partner-hiring/test-support/partner';
import { verifyWebhook } from '@partner-hiring/webhook-verifier';
import { expect, it, onTestFinished } from 'vitest';
import { type CursorFile, createCursorFile } from '../../../packages/client/src/listen/cursor-file.js';
import { ListenError } from '../../../packages/client/src/listen/listen-error.js';
import { createPostWebhook, type PostEnd } from '../../../packages/client/src/listen/post-webhook.js';
import { createSafeTransport } from '../../../packages/core/src/defaults/safe-transport.js';
import { OK, OWNER, openStage, receiver, run } from './listen-stage.js';
import { withStatus } from './network.js';

const DAY_MS = 24 * 60 * 60 * 1_000;
const SECRET = 'whsec_of_the_listener';

it('sends the bytes and the headers of the service', async () => {
  const { stage, path } = await openStage();
  const { fixture } = stage;
  const partner = await createPartner(fixture);
  await createEmployer(fixture, partner);
  await fixture.pass(1_000);
  const [sent] = fixture.transport.attempts;

  const requests: { head: unknown; headers: Headers; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const { method, url, httpVersion, rawHeaders, headers } = request;
    const names = rawHeaders.map((text, index) =>
      index % 2 === 1 && /^X-Partner-/.test(rawHeaders[index - 1] ?? '')
        ? text.replaceAll(/[\da-f]/g, '0')
        : text,
    );
    const body = String(await buffer(request));
    requests.push({ head: [method, url, httpVersion, names], headers: new Headers(headers as never), body });
    response.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks?a=1`;
  const transport = createSafeTransport({ allowPlainHttp: true, allowPrivateNetworks: true });
  await transport.post({ headers: {}, body: '', ...sent, url });
  await transport.close();

  const client = () => stage.client({ apiKey: partner.secret });
  await run({ client, fixture }, path, createPostWebhook({ url: new URL(url), secrets: [SECRET] }));
  const [service, listener] = requests;
  expect(listener?.body).toBe(service?.body);
  expect(listener?.head).toEqual(service?.head);
  const { body = '', headers = new Headers() } = listener ?? {};
  expect(await verifyWebhook({ body, headers, secret: SECRET })).toMatchObject({ ok: true });
});

it('forwards each event once and in order over several starts, from the start of the log', async () => {
  const { stage, publish, path } = await openStage();
  const first = await publish();
  const { got, post } = receiver(() => OK);
  await run(stage, path, post);
  await run(stage, path, post);
  const second = await publish();
  await run(stage, path, post);
  expect(got.slice(-2)).toEqual([first, second]);
  expect(new Set(got).size).toBe(got.length);
});

it('repeats an event until 2xx with a growing wait of at most a minute, and nothing overtakes it', async () => {
  const { stage, publish, path } = await openStage();
  const { got: before, post: ok } = receiver(() => OK);
  await run(stage, path, ok);
  expect(before).toHaveLength(1);
  const jobs = [await publish(), await publish()];
  const ends: readonly PostEnd[] = [
    { kind: 'failed', why: 'ECONNREFUSED' },
    ...[500, 302, 410, 404, 199, 429, 503].map((status) => ({ kind: 'answered', status }) as const),
  ];
  const { got, post } = receiver((_, count) => ends[count - 1] ?? OK);
  const { waits, printed } = await run(stage, path, post, {
    ends: (ms) => ms === 2_000 && got.length > 8,
  });
  expect(got).toEqual([...Array<string | undefined>(9).fill(jobs[0]), jobs[1]]);
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 2].map((seconds) => seconds * 1_000));
  expect(printed[0]).toMatch(/^at evt_\w+ job\.opened: ECONNREFUSED in 0 ms\. Trying again in 1 s\.$/);
  expect(printed.at(-1)).toMatch(/^at evt_\w+ job\.opened: 204 in 0 ms$/);
});

it('continues within a page after it was stopped, and repeats only the event without an answer', async () => {
  const { stage, publish, path } = await openStage();
  const jobs = [await publish(), await publish(), await publish()];
  const stopped = receiver((jobId) => (jobId === jobs[1] ? { kind: 'failed', why: 'ECONNRESET' } : OK));
  await run(stage, path, stopped.post, { ends: () => true });
  expect(stopped.got.slice(-2)).toEqual(jobs.slice(0, 2));
  const again = receiver(() => OK);
  await run(stage, path, again.post);
  expect(again.got).toEqual(jobs.slice(1));
});

it('repeats the event whose position was not written after it was forwarded', async () => {
  const { stage, publish, path } = await openStage();
  const jobs = [await publish(), await publish()];
  const killed = receiver(() => OK);
  const { read, write } = createCursorFile(path, OWNER);
  const dying: CursorFile = {
    path,
    read,
    write: (position) =>
      killed.got.at(-1) === jobs[0] ? Promise.reject(new ListenError('killed')) : write(position),
  };
  expect((await run(stage, path, killed.post, { cursor: dying })).error).toBe('killed');
  const again = receiver(() => OK);
  await run(stage, path, again.post);
  expect([killed.got.at(-1), again.got]).toEqual([jobs[0], jobs]);
});

it('says what to do on 401, and on 404 while the service has not turned events on', async () => {
  const { stage, path } = await openStage(false);
  const { post, got } = receiver(() => OK);
  expect((await run(stage, path, post)).error).toMatch(
    /does not offer GET \/events\..*selfService\.events.*PARTNER_API_URL.*404 NOT_FOUND/,
  );
  const stranger = () => stage.client({ apiKey: 'pek_test_of_nobody' });
  expect((await run({ ...stage, client: stranger }, path, post)).error).toMatch(
    /does not accept the key\. Correct PARTNER_API_KEY.*401 UNAUTHORIZED/,
  );
  expect(got).toEqual([]);
});

it('says how to start again if events may be missing, and then forwards what is kept', async () => {
  const { stage, publish, path } = await openStage();
  const { post, got } = receiver(() => OK);
  await run(stage, path, post);
  await publish();
  await stage.fixture.pass(32 * DAY_MS, DAY_MS);
  const kept = await publish();
  const { error } = await run(stage, path, post);
  expect(error).toMatch(
    /Read GET \/jobs and GET \/applications in full\. Then delete .*cursor\.json and start/,
  );
  expect(got).toHaveLength(1);
  rmSync(path);
  await run(stage, path, post);
  expect(got.slice(1)).toEqual([kept]);
});

it('waits as long as a 429 says, and tries again after a failure of the service', async () => {
  const { stage, path } = await openStage();
  const { post, got } = receiver(() => OK);
  const replies = [
    withStatus(429, '{"error":"RATE_LIMITED","message":"Slow down."}', { 'retry-after': '400' }),
    withStatus(503, '{"error":"SERVICE_UNAVAILABLE","message":"Down."}', { 'retry-after': '301' }),
  ];
  stage.intercept(() => replies.shift() ?? null);
  const { waits, printed, error } = await run(stage, path, post);
  expect([waits, error]).toEqual([[400_000, 301_000, 2_000], null]);
  expect(printed[0]).toBe('429 RATE_LIMITED: Slow down. Trying again in 400 s.');
  expect(got).toHaveLength(1);
});
