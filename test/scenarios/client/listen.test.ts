/** The command `partner-hiring-listen` on the real service: what the receiver gets, and what a person reads. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createEmployer, createPartner, WAREHOUSE_JOB } from '@partner-hiring/test-support/partner';
import { verifyWebhook } from '@partner-hiring/webhook-verifier';
import { afterEach, describe, expect, it } from 'vitest';
import { type CursorFile, createCursorFile } from '../../../packages/client/src/listen/cursor-file.js';
import { type ListenChoices, listen } from '../../../packages/client/src/listen/listen.js';
import { ListenError } from '../../../packages/client/src/listen/listen-error.js';
import {
  createPostWebhook,
  type PostEnd,
  type PostWebhook,
} from '../../../packages/client/src/listen/post-webhook.js';
import { createSafeTransport } from '../../../packages/core/src/defaults/safe-transport.js';
import { withStatus } from './network.js';
import { type ClientStage, openClientStage } from './stage.js';

const DAY_MS = 24 * 60 * 60 * 1_000;
const SECRET = 'whsec_of_the_listener';

let closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.reverse()) await close();
  closers = [];
});

async function openStage(isOn = true) {
  const stage = await openClientStage({ selfService: { events: isOn } });
  closers.push(stage.close);
  const { companyId } = await stage.employer();
  const publish = async () => (await stage.fixture.operator.jobs.publish({ companyId, ...WAREHOUSE_JOB })).id;
  const folder = mkdtempSync(join(tmpdir(), 'partner-hiring-listen-'));
  closers.push(() => rmSync(folder, { recursive: true, force: true }));
  return { stage, publish, path: join(folder, 'cursor.json') };
}

/** A receiver without a network. */
function receiver(answer: (jobId: string, count: number) => PostEnd | Promise<PostEnd>) {
  const got: string[] = [];
  const post: PostWebhook = async (body) => {
    const { jobId } = (JSON.parse(body) as { data: { jobId: string } }).data;
    got.push(jobId);
    return answer(jobId, got.length);
  };
  return { got, post };
}

const OWNER = { scope: 'stage', apiKey: 'pek_test_k' };
const OK: PostEnd = { kind: 'answered', status: 204 };

interface RunOptions {
  readonly ends?: (ms: number) => boolean;
  readonly cursor?: CursorFile;
  readonly choices?: Partial<ListenChoices>;
}

/** Runs one start of the command until it would wait for `ends`, such as for the next poll. */
async function run(
  { client, fixture }: Pick<ClientStage, 'client' | 'fixture'>,
  path: string,
  post: PostWebhook,
  { ends = (ms) => ms === 2_000, cursor = createCursorFile(path, OWNER), choices }: RunOptions = {},
) {
  const stop = new AbortController();
  const printed: string[] = [];
  const waits: number[] = [];
  const sleep = async (ms: number) => {
    waits.push(ms);
    if (ends(ms)) stop.abort();
    else await fixture.pass(ms);
  };
  const error = await listen({
    events: client().events,
    cursor,
    post,
    choices: { isFromNow: false, types: [], skipAfter: null, ...choices },
    clock: { sleep, now: () => fixture.clock.now() },
    signal: stop.signal,
    print: (line) => void printed.push(line.replace(TIME, 'at ')),
  }).then(
    () => null,
    (thrown: Error) => thrown.message,
  );
  return { printed, waits, error };
}

/** The time that begins the line of an attempt. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z /;

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
  closers.push(() => {
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

describe('--from-now', () => {
  const choices = { isFromNow: true };

  it('forwards what occurs after the answer of the service, and nothing older', async () => {
    const { stage, publish, path } = await openStage();
    for (let count = 0; count < 3; count += 1) await publish();
    const { post, got } = receiver(() => OK);
    const asked: string[] = [];
    const meanwhile: string[] = [];
    stage.intercept((url) => {
      asked.push(new URL(url).search);
      return null;
    });
    const cursor = createCursorFile(path, OWNER);
    const slow: CursorFile = {
      ...cursor,
      write: async (position) => {
        if (position.updatedThrough !== null && meanwhile.length === 0) meanwhile.push(await publish());
        await cursor.write(position);
      },
    };
    const { printed, error } = await run(stage, path, post, { choices, cursor: slow });
    expect([got, error]).toEqual([meanwhile, null]);
    expect(printed[0]).toMatch(/^Events through \S+Z are not forwarded\.$/);
    // One page tells the end of the log, however long it is.
    expect(asked).toEqual([expect.stringContaining('limit=1&'), expect.stringContaining('limit=200&')]);
    const later = await publish();
    await run(stage, path, post);
    expect(got).toEqual([...meanwhile, later]);
  });

  it('is tried again after a failure of the service', async () => {
    const { stage, publish, path } = await openStage();
    const { post, got } = receiver(() => OK);
    const replies = [withStatus(503, '{}', { 'retry-after': '301' })];
    stage.intercept(() => replies.shift() ?? null);
    expect(await run(stage, path, post, { choices })).toMatchObject({ waits: [301_000, 2_000], error: null });
    const job = await publish();
    await run(stage, path, post);
    expect(got).toEqual([job]);
  });

  it('is refused when there is a position, and leaves the position', async () => {
    const { stage, publish, path } = await openStage();
    const { post, got } = receiver(() => OK);
    await run(stage, path, post);
    const job = await publish();
    const { error } = await run(stage, path, post, { choices });
    expect(error).toMatch(/cursor\.json has a position.*Remove --from-now.*or delete the file/);
    await run(stage, path, post);
    expect(got.slice(1)).toEqual([job]);
  });
});

it('forwards only the given types, and moves the position past the others', async () => {
  const { stage, publish, path } = await openStage();
  const job = await publish();
  await stage.fixture.operator.jobs.close({ id: job });
  const { post, got } = receiver(() => OK);
  const { printed } = await run(stage, path, post, { choices: { types: ['job.closed', 'job.other'] } });
  expect(got).toEqual([job]);
  expect(printed).toEqual([expect.stringContaining(' job.closed: 204')]);
  const next = await publish();
  await run(stage, path, post);
  expect(got).toEqual([job, next]);
});

it('skips an event after the given number of refusals, which failed connections are not', async () => {
  const { stage, publish, path } = await openStage();
  await run(stage, path, receiver(() => OK).post);
  const jobs = [await publish(), await publish()];
  const ends: readonly PostEnd[] = [
    { kind: 'answered', status: 500, excerpt: 'no such table' },
    { kind: 'failed', why: 'ECONNREFUSED' },
    { kind: 'answered', status: 400, excerpt: '' },
  ];
  const { got, post } = receiver((_, count) => ends[count - 1] ?? OK);
  const { printed } = await run(stage, path, post, {
    choices: { skipAfter: 2 },
    ends: (ms) => ms === 2_000 && got.length > 3,
  });
  expect(got).toEqual([jobs[0], jobs[0], jobs[0], jobs[1]]);
  expect(printed.map((line) => line.replace(/evt_\w+/, 'evt_x'))).toEqual([
    'at evt_x job.opened: 500 in 0 ms. Trying again in 1 s. Answer: no such table',
    'at evt_x job.opened: ECONNREFUSED in 0 ms. Trying again in 2 s.',
    'at evt_x job.opened: 400 in 0 ms. Skipped after 2 refusals: it is not forwarded again, and the position moves on.',
    'at evt_x job.opened: 204 in 0 ms',
  ]);
});
