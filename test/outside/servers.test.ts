/** Hosts on other servers, with the partner API in one SQLite file. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import {
  formatOne,
  formatTwo,
  type GatewayAnswer,
  throughGateway,
} from '@partner-hiring/test-support/servers/gateway-events';
import { CANDIDATE, VALID } from '@partner-hiring/test-support/submission-body';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { checkHost } from './frameworks/check-host.js';
import { hostsOfServers } from './frameworks/frameworks.js';
import { HOSTS, programOf, SEED } from './frameworks/host-programs.js';
import { freePort } from './free-port.js';
import { createProject, type Project, type Running, run } from './project.js';

type Send = (request: Request) => Promise<Response>;

const PATH = '/api/v1/external';
const env = { PARTNER_HIRING_SEALING_KEY: randomBytes(32).toString('base64') };
let project: Project;
let key = '';

function start(program: string, more: Readonly<Record<string, string>> = {}): Running {
  const running = run([process.execPath, `dist/${program}.js`], {
    cwd: project.folder,
    env: { ...env, ...more },
  });
  onTestFinished(() => running.stop());
  return running;
}

beforeAll(async () => {
  project = await createProject([SEED, HOSTS], {
    'partner-hiring.ts': programOf('docs/quick-start-host.md', 'partner-hiring.ts'),
    'lambda.ts': programOf('docs/other-servers.md', 'lambda.ts'),
  });
  const { folder: cwd } = project;
  await run(['npm', 'run', 'build'], { cwd }).finish();
  const printed = await run([process.execPath, 'dist/let-in.js'], { cwd, env }).finish();
  key = /API key (\S+)/.exec(printed)?.[1] ?? '';
});

afterAll(() => project?.remove());

/** Calls all four routes, also with what they refuse. Returns the submission's request and reply. */
async function callAllEndpoints(send: Send) {
  const call = (path: string, init: RequestInit = {}) =>
    send(new Request(`http://127.0.0.1${PATH}${path}`, init));
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };

  const jobs = await call('/jobs?limit=1', { headers });
  expect([jobs.status, jobs.headers.get('content-type'), await jobs.json()]).toMatchObject([
    200,
    'application/json',
    { data: [{ id: 'job_4711' }] },
  ]);
  expect(Number(jobs.headers.get('x-ratelimit-remaining'))).toBeGreaterThan(0);
  const anonymous = await call('/jobs');
  expect([anonymous.status, anonymous.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  const wrongMethod = await call('/jobs', { method: 'DELETE', headers });
  expect([wrongMethod.status, wrongMethod.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  expect((await call('/nothing', { headers })).status).toBe(404);

  const post = (body: string | Uint8Array<ArrayBuffer>, more = {}) =>
    call('/applications', {
      method: 'POST',
      headers: { ...headers, 'idempotency-key': crypto.randomUUID(), ...more },
      body,
    });
  expect((await post('{"jobId":')).status).toBe(422);
  expect((await post(new Uint8Array([0xff, 0xfe]))).status).toBe(422);
  expect((await post('{}', { 'content-type': 'no media type' })).status).toBe(415);
  const large = await post(JSON.stringify({ note: 'x'.repeat(300_000) }));
  expect([large.status, await large.json()]).toMatchObject([413, { error: 'PAYLOAD_TOO_LARGE' }]);

  const idempotencyKey = crypto.randomUUID();
  const body = JSON.stringify({
    ...VALID,
    jobId: 'job_4711',
    candidate: { ...CANDIDATE, firstName: 'Zoë', lastName: '李' },
  });
  const created = await post(body, { 'idempotency-key': idempotencyKey });
  const reply = await created.text();
  expect([created.status, reply]).toEqual([201, expect.stringContaining('ej_app_')]);
  const { id } = JSON.parse(reply) as { id: string };
  const found = await call(`/applications/${id}`, { headers });
  expect([found.status, await found.json()]).toMatchObject([200, { id, status: 'received' }]);
  const listed = (await (await call('/applications?limit=200', { headers })).json()) as {
    data: { id: string }[];
  };
  expect(listed.data.map((each) => each.id)).toContain(id);
  return { reply, again: (other: Send) => repeat(other, idempotencyKey, body) };

  async function repeat(other: Send, sameKey: string, sameBody: string) {
    const replay = await other(
      new Request(`http://127.0.0.1${PATH}/applications`, {
        method: 'POST',
        headers: { ...headers, 'idempotency-key': sameKey },
        body: sameBody,
      }),
    );
    expect(replay.headers.get('idempotent-replayed')).toBe('true');
    return replay.text();
  }
}

async function serve(program: string): Promise<{ readonly origin: string; readonly send: Send }> {
  const PORT = String(await freePort());
  const running = start(program, { PORT });
  const origin = `http://127.0.0.1:${PORT}`;
  const status = () =>
    fetch(`${origin}/own`).then(
      (reply) => reply.status,
      () => running.output(),
    );
  await expect.poll(status, { timeout: 20_000 }).toBe(200);
  return { origin, send: (request) => fetch(request.url.replace('http://127.0.0.1', origin), request) };
}

describe.each(['node-http', 'koa', 'hapi'])('%s', (program) => {
  it('serves all four routes, and leaves all other paths to the host', async () => {
    const { origin, send } = await serve(program);
    expect(await (await fetch(`${origin}/own`)).text()).toBe('own');
    expect((await fetch(`${origin}/nothing`)).status).toBe(404);
    const { reply, again } = await callAllEndpoints(send);
    expect(await again(send)).toBe(reply);
  });
});

it.each(hostsOfServers().map((host) => [host.name, host] as const))(
  '%s serves API, console and portal beside its own routes',
  (_, host) => checkHost(project.folder, host),
);

it("answers requests of Hapi's own `server.inject`", async () => {
  const { origin } = await serve('hapi');
  expect(await (await fetch(`${origin}/injected`)).text()).toBe('401 200 200');
});

describe('AWS Lambda', () => {
  it.each([
    ['1 with text', formatOne({ stage: 'prod', isBase64: false })],
    ['1 with base64', formatOne({ stage: 'prod', isBase64: true })],
    ['2 with text', formatTwo({ stage: '$default', isBase64: false })],
    ['2 with base64', formatTwo({ stage: 'prod', isBase64: true })],
  ])('serves all four routes from events in format %s, and freezes after each', async (_, toEvent) => {
    const lambda = start('lambda-runtime');
    let answered = 0;
    const ids: string[] = [];
    const send = throughGateway(toEvent, async (event) => {
      if (answered > 0) await lambda.continueFrozen();
      lambda.write(JSON.stringify(event));
      answered += 1;
      await lambda.waitFor(new RegExp(`^(?:.*\\n){${answered}}`));
      const answer = JSON.parse(lambda.output().split('\n')[answered - 1] ?? '') as GatewayAnswer;
      ids.push(answer.headers['x-request-id'] ?? '');
      return answer;
    });
    const { reply, again } = await callAllEndpoints(send);
    // The body has arrived byte by byte: another server takes it for the same request.
    expect(await again((await serve('node-http')).send)).toBe(reply);

    // The frozen process has written its request log. Reads that succeed are only counted there.
    const file = new Sqlite(join(project.folder, 'partner-hiring.sqlite'), { readonly: true });
    onTestFinished(() => void file.close());
    const logged = file
      .prepare<[string], { status: number }>(
        'select status from ph_request where request_id in (select value from json_each(?)) order by status',
      )
      .all(JSON.stringify(ids));
    expect(logged.map(({ status }) => status)).toEqual([201, 401, 404, 405, 413, 415, 422, 422]);
  });
});
