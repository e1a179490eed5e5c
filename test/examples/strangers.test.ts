/** What the example server shows to a stranger, and does for one: nothing. */
import { VALID } from '@partner-hiring/test-support/submission-body';
import type { FastifyInstance } from 'fastify';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createApiServer } from '../../examples/server/api-server.js';
import { createLocalConsole } from '../../examples/server/local-console.js';
import type { ExamplePartnerHiring } from '../../examples/server/open-partner-hiring.js';
import { openExample } from './example-server-in-process.js';

const PORTAL_PATH = '/portal/known';
const HOST = '127.0.0.1:3000';
const ORIGIN = `http://${HOST}`;
/** The beginning of all that only somebody who is signed in may see. */
const PRIVATE = 'Qzprivate';
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
/** As a page of the same server sends forms. */
const HEADERS = {
  host: HOST,
  origin: ORIGIN,
  'sec-fetch-site': 'same-origin',
  'content-type': 'application/x-www-form-urlencoded',
};

/** Brings a partner in, which submits a candidate. */
async function submit({ operator, fetch }: ExamplePartnerHiring) {
  const name = `${PRIVATE} name`;
  const company = await operator.companies.create({ name, environment: 'production' });
  const place = { location: { city: 'Reno', state: 'NV', country: 'US' }, compensation: { currency: 'USD' } };
  const job = await operator.jobs.publish({ companyId: company.id, title: name, ...place });
  const { id: partnerId } = await operator.partners.create({ name });
  const { key, secret } = await operator.keys.issue({ partnerId, environment: 'production' });
  await operator.access.grant({ keyId: key.id, companyId: company.id });
  const candidate = { ...VALID.candidate, firstName: PRIVATE, lastName: PRIVATE };
  const reply = await fetch(
    new Request(`${ORIGIN}/api/v1/external/applications`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${secret}`,
        'content-type': 'application/json',
        'idempotency-key': crypto.randomUUID(),
      },
      body: JSON.stringify({ ...VALID, candidate, jobId: job.id }),
    }),
  );
  const { id } = (await reply.json()) as { readonly id: string };
  return { id, keyId: key.id, partnerId };
}

interface Route {
  readonly path: string;
  readonly methods: readonly string[];
}

/** Reads the tree of routes that Fastify prints. */
function listRoutes(app: FastifyInstance): readonly Route[] {
  const parents: string[] = [];
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent, part = '', methods = ''] = /^([│ ]*)[├└]── (\S+) \((.*)\)$/.exec(line) ?? [];
      if (indent === undefined) return [];
      parents.splice(indent.length / 4, parents.length, part);
      const path = `/${parents.join('/')}`.replaceAll(/\/+/g, '/');
      return [{ path, methods: methods.split(', ') }];
    });
}

test('no route of the example server shows a stranger a person, a partner or metrics, or acts', async () => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const partnerHiring = await openExample();
  const { id, keyId, partnerId } = await submit(partnerHiring);
  const acts = () => partnerHiring.operator.audit.list();
  const before = await acts();
  const local = createLocalConsole(partnerHiring, '127.0.0.1');
  // The console answers only under the host of a link.
  local?.createLink(ORIGIN);
  const app = await createApiServer(partnerHiring, local, null, PORTAL_PATH);
  onTestFinished(() => app.close());
  await app.ready();

  const below = [
    'jobs',
    'applications',
    'keys',
    'partners',
    'audit',
    'endpoints',
    'requests',
    'system',
    'sign-out',
    `applications/${id}`,
    `applications/${id}/reveal`,
    `keys/${keyId}`,
    `keys/${keyId}/rotate`,
    `partners/${partnerId}/disable`,
    `endpoints/${keyId}/pause`,
  ];
  const routes = listRoutes(app);
  expect(routes.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['/healthz', `${local?.path}/*`, `${PORTAL_PATH}/*`, '/api/v1/external/*']),
  );
  for (const { path, methods } of [...routes, { path: '/metrics', methods: ['GET'] }]) {
    const isForAll = !/^\/(?:api|console|portal)\//.test(path);
    const urls = path.endsWith('*') ? below.map((rest) => path.replace('*', rest)) : [path];
    for (const url of urls) {
      for (const method of METHODS.filter((name) => methods.includes(name))) {
        const payload = /GET|HEAD/.test(method) ? {} : { payload: 'confirmed=yes' };
        const { statusCode, body } = await app.inject({ method, url, headers: HEADERS, ...payload });
        const call = `${method} ${url}`;
        expect(isForAll ? [200, 302, 404, 405] : [401, 404, 405], call).toContain(statusCode);
        expect([call, body.includes(PRIVATE)]).toEqual([call, false]);
        expect(body, call).not.toMatch(/^partner_hiring_\w+ /m);
      }
    }
  }
  expect(await acts()).toEqual(before);
});
