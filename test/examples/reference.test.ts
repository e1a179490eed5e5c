import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createApiServer } from '../../examples/server/api-server.js';
import { openPartnerHiring } from '../../examples/server/open-partner-hiring.js';
import { readSettings } from '../../examples/server/settings.js';
import { DOCUMENT_FILE } from '../openapi/document-file.js';
import { temporaryFolder } from './temporary-folder.js';

async function openServer() {
  const env = { DATABASE_FILE: join(await temporaryFolder(), 'example.sqlite') };
  const partnerHiring = await openPartnerHiring(readSettings(env));
  const app = await createApiServer(partnerHiring);
  onTestFinished(async () => {
    await app.close();
    await partnerHiring.close();
  });
  return app;
}

test('the example server serves the document that is committed', async () => {
  const reply = await (await openServer()).inject('/openapi.json');
  expect(reply.headers['content-type']).toMatch(/^application\/json/);
  expect(reply.json()).toEqual(JSON.parse(readFileSync(DOCUMENT_FILE, 'utf8')));
});

test('the document, the sandbox page and the guides name the address on which the server listens', async () => {
  const app = await openServer();
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  const read = async (path: string) => (await fetch(`${origin}${path}`)).text();
  expect(JSON.parse(await read('/openapi.json'))).toMatchObject({
    servers: [{ url: `${origin}/api/v1/external` }],
  });
  expect(await read('/sandbox')).toContain(`BASE=${origin}/api/v1/external\n`);
  expect(await read('/partner-docs/sandbox.md')).toContain(`BASE=${origin}/api/v1/external\n`);
  expect(await read('/partner-docs/llms.txt')).toContain(`(${origin}/partner-docs/webhooks.md)`);
});

test('the page refers to nothing but what is served beside it', async () => {
  const app = await openServer();
  const page = await app.inject('/docs');
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(page.body).not.toMatch(/https?:|\/\/[a-z]|url\(|@import/i);
  const targets = [...page.body.matchAll(/(?:src|href|spec-url)="(?!data:)([^"]*)"/g)].map(
    ([, target]) => target,
  );
  expect(targets).toEqual(['/openapi.json', '/docs/redoc.js']);
  const sizes = await Promise.all(targets.map(async (url) => (await app.inject(String(url))).body.length));
  expect(Math.min(...sizes)).toBeGreaterThan(50_000);
});

test('the renderer has no address left to load anything from', async () => {
  const script = await (await openServer()).inject('/docs/redoc.js');
  expect(script.body).not.toMatch(/src:\s*"https?:/);
});

test('the browser is told to load nothing from elsewhere, whatever the renderer asks for', async () => {
  const page = await (await openServer()).inject('/docs');
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
    const { headers, statusCode } = await (await openServer()).inject(path);
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
  '/docs/redoc.js',
  '/openapi.json',
  '/sandbox',
  '/partner-docs/llms.txt',
  '/healthz',
  '/nothing',
  '/api/v1/external/jobs',
])('%s: browsers must not guess what it is', async (path) => {
  const { headers } = await (await openServer()).inject(path);
  expect(headers['x-content-type-options']).toBe('nosniff');
});
