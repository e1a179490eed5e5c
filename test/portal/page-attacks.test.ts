/** The attacks on the console, on the portal: scripts in every field, forged forms, caches and prefetch. */
import { randomUUID } from 'node:crypto';
import { WAREHOUSE_JOB } from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import { expect, it } from 'vitest';
import { crawl } from '../console/crawl.js';
import { FORGED } from '../console/forged.js';
import { openPlatform, type SentFields } from '../console/platform.js';
import { startProgram } from './acts-of-partner.js';
import { actorOf, openPortal } from './portal.js';
import { ACT_ROUTES, exampleFormsOf, examplePagesOf, findObjectsOf, pathsOf } from './portal-pages.js';

const platform = perTest(openPlatform, ({ close }) => close());

const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

function visitAsAcme() {
  const { fixture, acme } = platform;
  return openPortal(fixture, actorOf(acme.partnerId));
}

const SCRIPT = '"><script>alert(1)</script><img src=x onerror=alert(1)>';

it('runs no script that is in a name, an id, a URL or a field of a form', async () => {
  const { fixture, acme } = platform;
  const { operator } = fixture;
  await operator.partners.update({ id: acme.partnerId, name: SCRIPT });
  await operator.companies.rename({ id: acme.companyId as `co_${string}`, name: SCRIPT });
  const company = await operator.companies.create({ name: `2 ${SCRIPT}`, environment: 'production' });
  await operator.access.grant({ keyId: acme.keyId, companyId: company.id });
  await operator.jobs.publish({ ...WAREHOUSE_JOB, companyId: company.id, title: SCRIPT });
  await operator.endpoints.setUrl({
    keyId: acme.keyId,
    url: `https://ats.example.org/'"><script>alert(1)</script>`,
  });
  const program = await startProgram(platform);
  await program.submit({ sourceApplicationId: SCRIPT });
  await program.submit({ sourceApplicationId: SCRIPT });
  await fixture.pass(60_000);
  const visitor = visitAsAcme();
  const own = await findObjectsOf(platform, acme.partnerId);
  const pages = new Map(await crawl(visitor.get, '/portal'));
  const query = new URLSearchParams({ q: SCRIPT, key: SCRIPT, state: SCRIPT, cursor: SCRIPT, id: SCRIPT });
  for (const path of examplePagesOf(own)) {
    const [bare] = path.split('?');
    pages.set(`${path} with scripts`, (await visitor.get(`/portal${bare}?${query}`)).text);
  }
  for (const [path] of exampleFormsOf(own)) {
    const fields: SentFields = {
      q: SCRIPT,
      url: SCRIPT,
      since: SCRIPT,
      key: SCRIPT,
      ifCurrent: SCRIPT,
      overlap: SCRIPT,
    };
    pages.set(`POST ${path}`, (await visitor.post(`/portal${path}`, fields)).text);
  }
  expect([...pages.values()].join()).toContain('&lt;script&gt;alert(1)');
  for (const [path, text] of pages) {
    expect(text, path).not.toMatch(/<style|\sstyle=|<img|<script(?![^>]* src=)/);
    // Without the values of attributes, in which quotes are escaped.
    expect(text.replaceAll(/"[^"]*"/g, '""'), path).not.toMatch(/<[^>]*\son[a-z]+=/);
  }
});

it('no page names another origin except the host’s own addresses', async () => {
  const visitor = visitAsAcme();
  const own = await findObjectsOf(platform, platform.acme.partnerId);
  for (const path of examplePagesOf(own)) {
    const { text } = await visitor.get(`/portal${path}`);
    expect(text.match(/\s(?:src|href|action|formaction)="(?!\/portal|#|data:,")[^"]*"/g), path).toBeNull();
  }
});

it('refuses each act of a form that another site sent', async () => {
  const { fixture, acme } = platform;
  const visitor = visitAsAcme();
  const own = await findObjectsOf(platform, acme.partnerId);
  const known = (await fixture.operator.audit.list({ limit: 1_000 })).items.length;
  for (const path of ACT_ROUTES.flatMap((route) => pathsOf(route, own).slice(0, 1))) {
    for (const [name, headers] of FORGED) {
      const { status } = await visitor.post(`/portal${path}`, { confirmed: 'yes' }, headers);
      expect(status, `${path} ${name}`).toBe(403);
    }
  }
  expect((await fixture.operator.audit.list({ limit: 1_000 })).items.length).toBe(known);
});

it('changes nothing by GET, HEAD or a prefetch, and asks before each act that shows a secret or stops sending', async () => {
  const { fixture, acme } = platform;
  const visitor = visitAsAcme();
  const own = await findObjectsOf(platform, acme.partnerId);
  const known = (await fixture.operator.audit.list({ limit: 1_000 })).items.length;
  const acts = ACT_ROUTES.filter((route) => route.includes(':')).flatMap((route) =>
    pathsOf(route, own).slice(0, 1),
  );
  for (const path of acts) {
    expect((await visitor.get(`/portal${path}?confirmed=yes`)).status, path).toBe(404);
  }
  for (const path of examplePagesOf(own)) await visitor.get(`/portal${path}`);
  for (const act of ['pause', 'rotate-secret']) {
    const { status, text } = await visitor.post(`/portal/endpoints/${acme.keyId}/${act}`);
    expect([status, text.includes('name="confirmed" value="yes"')]).toEqual([200, true]);
  }
  const { text } = await visitor.post(`/portal/keys/${acme.keyId}/rotate`);
  expect(text).not.toContain('name="reason"');
  expect((await fixture.operator.audit.list({ limit: 1_000 })).items.length).toBe(known);
});

it('every answer has a strict policy and is kept in no cache, secrets and refusals too', async () => {
  const { acme } = platform;
  const visitor = visitAsAcme();
  const own = await findObjectsOf(platform, acme.partnerId);
  const answers = [
    ...(await Promise.all(examplePagesOf(own).map((path) => visitor.get(`/portal${path}`)))),
    await visitor.post(`/portal/keys/${acme.keyId}/rotate`, { confirmed: 'yes', ifCurrent: randomUUID() }),
    await visitor.post('/portal/applications', { q: 'x' }, {}),
  ];
  for (const { headers } of answers) {
    expect(headers.get('content-security-policy')).toBe(CSP);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('x-robots-tag')).toBe('noindex');
  }
});
