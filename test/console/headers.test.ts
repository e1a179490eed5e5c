/** What browsers are told with every reply. */
import { perTest } from '@partner-hiring/test-support/per-test';
import { expect, it } from 'vitest';
import { exampleForms, examplePages } from './browser/example-pages.js';
import { openPlatform, visit } from './platform.js';

const platform = perTest(openPlatform, ({ close }) => close());

const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

it.each([
  ['a page', '/console', 200],
  ['a page that does not exist', '/console/nothing', 404],
  ['a refusal', '/console/applications?job=job_1&key=key_1', 400],
  ['live counts', '/console/live', 200],
])('%s has a strict policy, is kept in no cache and cannot be framed', async (_, path, status) => {
  const { headers, status: answered } = await visit(platform.fixture).get(path);
  expect(answered).toBe(status);
  expect(headers.get('content-security-policy')).toBe(CSP);
  expect(headers.get('x-frame-options')).toBe('DENY');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('referrer-policy')).toBe('same-origin');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-robots-tag')).toBe('noindex');
});

it('a stranger and a broken hook get the same headers', async () => {
  const visitor = visit(platform.fixture);
  visitor.become(null);
  expect((await visitor.get('/console')).headers.get('content-security-policy')).toBe(CSP);
  const broken = visit(platform.fixture, { actor: () => Promise.reject(new Error('down')) });
  expect((await broken.get('/console')).headers.get('content-security-policy')).toBe(CSP);
});

it('the pages of the allowed origins may frame the console', async () => {
  const visitor = visit(platform.fixture, { frameAncestors: ['https://intranet.example.com'] });
  const { headers } = await visitor.get('/console');
  expect(headers.get('content-security-policy')).toContain('frame-ancestors https://intranet.example.com');
  expect(headers.get('x-frame-options')).toBeNull();
});

it('no page of any screen names another origin, or has inline code or style', async () => {
  const visitor = visit(platform.fixture);
  const pages = [
    ...(await examplePages(platform)).map((path) => [path, () => visitor.get(`/console${path}`)] as const),
    ...(await exampleForms(platform)).map(
      ([path, fields]) => [path, () => visitor.post(`/console${path}`, fields)] as const,
    ),
  ];
  for (const [path, show] of pages) {
    const { text } = await show();
    expect(text.match(/\s(?:src|href|action|formaction)="(?!\/console|#|data:,")[^"]*"/g), path).toBeNull();
    expect(text, path).not.toMatch(/<style|\sstyle=|\son[a-z]+=|<script(?![^>]* src=)/);
  }
});

it('the style sheet and the script are cached forever under a name of their content', async () => {
  const visitor = visit(platform.fixture);
  const { text } = await visitor.get('/console');
  const names = [...text.matchAll(/"(\/console\/assets\/[^"]+)"/g)].map(([, name = '']) => name);
  expect(names.map((name) => name.replace(/-[\w-]{12}\./, '-#.'))).toEqual([
    '/console/assets/console-#.css',
    '/console/assets/console-#.js',
  ]);
  for (const name of names) {
    const asset = await visitor.get(name);
    expect(asset.status).toBe(200);
    expect(asset.headers.get('cache-control')).toBe('private, max-age=31536000, immutable');
    expect(asset.headers.get('content-type')).toMatch(/^text\/(css|javascript); charset=utf-8$/);
    expect(asset.text).not.toMatch(/@import|url\((?!["']?data:)/);
  }
});
