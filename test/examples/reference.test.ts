import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@partner-hiring/test-support/temporary-folder';
import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { createApiServer } from '../../examples/server/api-server.js';
import { serveReference } from '../../examples/server/reference.js';
import { DOCUMENT_FILE } from '../openapi/document-file.js';
import { openExample, openExampleServer } from './example-server-in-process.js';

test('the example server serves the document that is committed, with the events that it turns on', async () => {
  const reply = await (await openExampleServer()).inject('/openapi.json');
  expect(reply.headers['content-type']).toMatch(/^application\/json/);
  const { paths, ...document } = reply.json();
  expect(document).toMatchObject({ info: { title: 'Partner Hiring API' } });
  const committed = JSON.parse(readFileSync(DOCUMENT_FILE, 'utf8'));
  expect(paths).toEqual({ ...committed.paths, '/events': { get: expect.anything() } });
});

test('the document, the sandbox page and the guides name the address on which the server listens', async () => {
  const app = await openExampleServer();
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  const read = async (path: string) => (await fetch(`${origin}${path}`)).text();
  expect(JSON.parse(await read('/openapi.json'))).toMatchObject({
    servers: [{ url: `${origin}/api/v1/external` }],
    externalDocs: { url: `${origin}/partner-docs` },
  });
  expect(await read('/docs')).toMatch(/spec-url="\/openapi.json"|href="\/partner-docs"/);
  expect((await fetch(`${origin}/`)).url).toBe(`${origin}/partner-docs`);
  expect(await read('/sandbox')).toContain(`<a href="${origin}/partner-docs">`);
  expect(await read('/sandbox')).toContain(`BASE=${origin}/api/v1/external\n`);
  expect(await read('/partner-docs/sandbox.md')).toContain(`BASE=${origin}/api/v1/external\n`);
  expect(await read('/partner-docs/questions.md')).toContain('(mailto:partners@hiring.example.com)');
  expect(await read('/partner-docs/webhooks.md')).toContain('npm install @partner-hiring/webhook-verifier');
  expect(await read('/partner-docs/llms.txt')).toContain(`(${origin}/partner-docs/webhooks.md)`);
});

test('packed packages are served, and the guides install them from the server', async () => {
  const folder = temporaryFolder();
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  for (const name of [`partner-hiring-client-${version}.tgz`, 'secrets.txt']) {
    writeFileSync(join(folder, name), 'packed');
  }
  const app = await createApiServer(await openExample(), null, folder);
  onTestFinished(() => app.close());
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  const guide = await (await fetch(`${origin}/partner-docs/events.md`)).text();
  const [, url = ''] = /^npm install (\S+)$/m.exec(guide) ?? [];
  expect(url).toBe(`${origin}/packages/partner-hiring-client-${version}.tgz`);
  expect(await (await fetch(url)).text()).toBe('packed');
  expect((await fetch(`${origin}/packages/secrets.txt`)).status).toBe(404);
});

test('without the viewer, the page names the command that installs it, and loads nothing', async () => {
  const app = Fastify();
  serveReference(app, await openExample(), null);
  const page = await app.inject('/docs');
  const [guides, hint] = [page.body.indexOf('href="/partner-docs"'), page.body.indexOf('npm run reference')];
  expect(guides).toBeGreaterThan(0);
  expect(hint).toBeGreaterThan(guides);
  expect(page.body).not.toMatch(/<script|https?:/);
  expect((await app.inject('/docs/redoc.js')).statusCode).toBe(404);
});

test('the browser is told to load nothing from elsewhere, whatever the renderer asks for', async () => {
  const page = await (await openExampleServer()).inject('/docs');
  const policy = String(page.headers['content-security-policy']);
  const rules = policy.split('; ').map((rule) => rule.split(' '));
  const local = ["'none'", "'self'", "'unsafe-inline'", 'data:', 'blob:'];
  expect(rules[0]).toEqual(['default-src', "'none'"]);
  expect(rules.flatMap(([, ...sources]) => sources).filter((source) => !local.includes(source))).toEqual([]);
  expect(rules.find(([name]) => name === 'script-src')).toEqual(['script-src', "'self'"]);
});

test.each(['/docs', '/sandbox'])(
  '%s has a strict policy: nothing frames it, nothing is sent from it',
  async (path) => {
    const { headers, statusCode } = await (await openExampleServer()).inject(path);
    const policy = String(headers['content-security-policy']).split('; ');
    expect(statusCode).toBe(200);
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ]),
    );
  },
);

test.each([
  '/',
  '/docs',
  '/openapi.json',
  '/sandbox',
  '/partner-docs/llms.txt',
  '/healthz',
  '/nothing',
  '/api/v1/external/jobs',
])('%s says that browsers must not guess what it is', async (path) => {
  const { headers } = await (await openExampleServer()).inject(path);
  expect(headers['x-content-type-options']).toBe('nosniff');
});
