/** The reference of the example server, rendered by Redoc. */
import { expect, test } from 'vitest';
import { openExampleServer } from '../../examples/example-server-in-process.js';

test('the page refers to nothing but what is served beside it', async () => {
  const app = await openExampleServer();
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
  const script = await (await openExampleServer()).inject('/docs/redoc.js');
  expect(script.body).not.toMatch(/src:\s*"https?:/);
});

test('browsers must not guess what the script is', async () => {
  const { headers } = await (await openExampleServer()).inject('/docs/redoc.js');
  expect(headers['x-content-type-options']).toBe('nosniff');
});
