/** Plays the page of servers without an adapter. Stand-ins send what each platform sends. */
import type { RequestListener } from 'node:http';
import { serveBehindPlatform } from '@partner-hiring/test-support/servers/body-reading-platform';
import { expect, vi } from 'vitest';
import { exported, partnerHiringOf } from './exported.js';
import { apply, letIn } from './host.js';
import { tell } from './tell.js';

type Answer = { statusCode: number; headers: Record<string, string>; body: string };
type Lambda = (event: unknown) => Promise<Answer>;
type ToEvent = (request: Request, body: Buffer) => unknown;

const PATH = '/api/v1/external';

/** Builds an event of a REST API as JSON. It names each header and each query parameter twice. */
const formatOne: ToEvent = (request, body) => {
  const { pathname, searchParams } = new URL(request.url);
  const listed = (entries: Iterable<[string, string]>) =>
    Object.fromEntries([...entries].map(([name, value]) => [name, [value]]));
  const queries = [...searchParams.keys()].map((name) => [name, searchParams.getAll(name)]);
  return {
    httpMethod: request.method,
    path: pathname,
    headers: Object.fromEntries(request.headers),
    multiValueHeaders: listed(request.headers),
    queryStringParameters: Object.fromEntries(searchParams),
    multiValueQueryStringParameters: queries.length === 0 ? null : Object.fromEntries(queries),
    body: body.byteLength === 0 ? null : body.toString(),
    isBase64Encoded: false,
    requestContext: { stage: 'prod', identity: { sourceIp: '203.0.113.7' } },
  };
};

/** Builds an event of an HTTP API as JSON, with the body in base64. */
const formatTwo =
  (stage: string): ToEvent =>
  (request, body) => {
    const { pathname, search } = new URL(request.url);
    return {
      version: '2.0',
      rawPath: stage === '$default' ? pathname : `/${stage}${pathname}`,
      rawQueryString: search.slice(1),
      headers: Object.fromEntries(request.headers),
      ...(body.byteLength === 0 ? {} : { body: body.toString('base64') }),
      isBase64Encoded: body.byteLength > 0,
      requestContext: { stage, http: { method: request.method, sourceIp: '203.0.113.7' } },
    };
  };

function sendTo(lambda: Lambda, toEvent: ToEvent): (request: Request) => Promise<Response> {
  return async (request) => {
    const event = toEvent(request, Buffer.from(await request.arrayBuffer()));
    const answer = await lambda(JSON.parse(JSON.stringify(event)));
    const { statusCode: status, headers, body } = JSON.parse(JSON.stringify(answer)) as Answer;
    return new Response(status === 204 ? null : body, { status, headers });
  };
}

tell('docs/other-servers.md', async (open) => {
  const page = open({ env: { PARTNER_HIRING_SEALING_KEY: '0123456789abcdef'.repeat(4) } });
  const partnerHiring = await partnerHiringOf(page);
  const { secret } = await letIn(partnerHiring);
  const authorization = `Bearer ${secret}`;

  const lambda = exported<Lambda>(await page.play(), 'handler');
  const flush = vi.spyOn(partnerHiring, 'flush');
  for (const toEvent of [formatOne, formatTwo('$default'), formatTwo('prod')]) {
    const send = sendTo(lambda, toEvent);
    const get = (path: string, headers = {}) =>
      send(new Request(`https://api.example.org${PATH}${path}`, { headers }));
    expect(await (await get('/jobs', { authorization })).json()).toMatchObject({
      data: [{ id: 'job_01k2f7' }],
    });
    expect((await get('/jobs')).status).toBe(401);
    expect((await get('/nothing', { authorization })).status).toBe(404);
    // The query arrives as it was sent, also what appears twice.
    expect((await get('/jobs?limit=1', { authorization })).status).toBe(200);
    expect((await get('/jobs?limit=0', { authorization })).status).toBe(422);
    expect((await get('/jobs?limit=1&limit=2', { authorization })).status).toBe(422);
    flush.mockClear();
    expect(await apply(`https://api.example.org${PATH}`, secret, { send })).toMatch(/^ej_app_/);
    expect(flush).toHaveBeenCalledOnce();
  }

  const hiring = exported<RequestListener>(await page.play(), 'hiring');
  const origin = await serveBehindPlatform(hiring);
  expect((await fetch(`${origin}${PATH}/jobs`, { headers: { authorization } })).status).toBe(200);
  expect((await fetch(`${origin}${PATH}/jobs`)).status).toBe(401);
  expect(await apply(`${origin}${PATH}`, secret)).toMatch(/^ej_app_/);
});
