/** Plays the page of servers without an adapter. Stand-ins send what each platform sends. */
import type { RequestListener } from 'node:http';
import { serveBehindPlatform } from '@partner-hiring/test-support/servers/body-reading-platform';
import {
  formatOne,
  formatTwo,
  type GatewayAnswer,
  throughGateway,
} from '@partner-hiring/test-support/servers/gateway-events';
import { expect, vi } from 'vitest';
import { exported, partnerHiringOf } from './exported.js';
import { type Fence, readPage } from './fences.js';
import { apply, letIn } from './host.js';
import { tell } from './tell.js';

type Lambda = (event: unknown) => Promise<GatewayAnswer>;

const PATH = '/api/v1/external';
const FORMATS = [
  formatOne({ stage: 'prod', isBase64: false }),
  formatOne({ stage: 'prod', isBase64: true }),
  formatTwo({ stage: '$default', isBase64: true }),
  formatTwo({ stage: 'prod', isBase64: false }),
  formatTwo({ stage: 'api', isBase64: true, ownDomain: true }),
];

/** Fails unless the host that `npm run test:frameworks` runs mounts its handlers as the page does. */
function expectMountedAs({ text }: Fence, host: string): void {
  const [mount = ''] = /(?<=^for \(.*\n)[\s\S]*?(?=^})/m.exec(text) ?? [];
  expect(mount).toContain('handle(');
  expect(readPage(`test/outside/hosts/servers/${host}.ts`)).toContain(mount);
}

tell('docs/other-servers.md', async (open) => {
  const page = open({ env: { PARTNER_HIRING_SEALING_KEY: '0123456789abcdef'.repeat(4) } });
  const partnerHiring = await partnerHiringOf(page);
  const { secret } = await letIn(partnerHiring);
  const authorization = `Bearer ${secret}`;

  for (const host of ['koa', 'hapi']) expectMountedAs(page.next('js'), host);
  const lambda = exported<Lambda>(await page.play(), 'handler');
  const flush = vi.spyOn(partnerHiring, 'flush');
  for (const toEvent of FORMATS) {
    const send = throughGateway(toEvent, lambda);
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

  // A REST API passes on each header that was sent twice, so two keys are refused. Events for trials have single headers.
  const jobs = new Request(`https://api.example.org${PATH}/jobs`, { headers: { authorization } });
  const event = formatOne({ stage: 'prod', isBase64: false })(jobs, Buffer.alloc(0)) as object;
  const twice = { multiValueHeaders: { Authorization: [authorization, authorization] } };
  expect((await lambda({ ...event, ...twice })).statusCode).toBe(401);
  const single = { multiValueHeaders: null, headers: { Authorization: authorization } };
  expect((await lambda({ ...event, ...single })).statusCode).toBe(200);

  const hiring = exported<RequestListener>(await page.play(), 'hiring');
  const origin = await serveBehindPlatform(hiring);
  expect((await fetch(`${origin}${PATH}/jobs`, { headers: { authorization } })).status).toBe(200);
  expect((await fetch(`${origin}${PATH}/jobs`)).status).toBe(401);
  expect(await apply(`${origin}${PATH}`, secret)).toMatch(/^ej_app_/);
});
