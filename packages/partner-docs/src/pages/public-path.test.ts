import type { HttpRequest } from '@partner-hiring/core';
import { expect, it, vi } from 'vitest';
import { createPartnerDocs } from './create-partner-docs.js';

const ORIGIN = 'https://jobs.example.org';
const SUPPORT = { email: 'partners@jobs.example.org' };
const OPTIONS = { origin: ORIGIN, sandbox: true, support: SUPPORT };

const textsOf = (publicPath?: string, origin = ORIGIN) =>
  createPartnerDocs({ ...OPTIONS, origin, publicPath }).pages.map(({ path, text, html }) => [
    path,
    text,
    html?.text,
  ]);

function ask(
  docs: ReturnType<typeof createPartnerDocs>,
  path: string,
  prefix: string[],
  isTrusted?: boolean,
) {
  const request: HttpRequest = {
    method: 'GET',
    target: path,
    clientAddress: '203.0.113.9',
    headerValues: (name) => (name === 'x-forwarded-prefix' ? prefix : name === 'accept' ? ['text/html'] : []),
    isFromTrustedProxy: isTrusted === undefined ? undefined : () => isTrusted,
    readBody: async () => new Uint8Array(),
  };
  return docs.handler(request);
}

it('names the API and its own pages behind the prefix', () => {
  const pages = createPartnerDocs({ ...OPTIONS, publicPath: '/hiring' }).pages;
  for (const { text, html } of pages) {
    expect(`${text}${html?.text}`).not.toMatch(/(?<!\/hiring)\/api\/v1\/external/);
    expect(text).not.toContain(`${ORIGIN}/partner-docs`);
  }
  const document = JSON.parse(pages.find(({ path }) => path === 'openapi.json')?.text ?? '');
  expect(document.servers[0].url).toBe(`${ORIGIN}/hiring/api/v1/external`);
});

it('an origin with a path means the same, and the option wins over it', () => {
  expect(textsOf(undefined, `${ORIGIN}/hiring`)).toEqual(textsOf('/hiring'));
  expect(textsOf('/hiring', `${ORIGIN}/other/`)).toEqual(textsOf('/hiring'));
});

it('shows every page behind the prefix of a trusted proxy as with the option, in no shared cache', async () => {
  const docs = createPartnerDocs(OPTIONS);
  const fixed = createPartnerDocs({ ...OPTIONS, publicPath: '/hiring' });
  const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  for (const path of [
    '',
    ...docs.pages.map((page) => `/${page.path.replace(/\.md$/, '')}`),
    '/webhooks.md',
  ]) {
    const [shown, expected] = [
      await ask(docs, `/partner-docs${path}`, ['/hiring'], true),
      await ask(fixed, `/partner-docs${path}`, []),
    ];
    expect(shown.body).toBe(expected.body);
    expect(shown.headers['Content-Length']).toBe(expected.headers['Content-Length']);
  }
  const cached = async (prefix: string[]) =>
    (await ask(docs, '/partner-docs/webhooks.md', prefix, true)).headers['Cache-Control'];
  expect(await cached(['/hiring'])).toBe('private, max-age=300');
  expect(await cached([])).toBe('public, max-age=300');
  expect((await ask(docs, '/partner-docs/none', ['/hiring'], true)).body).toContain(
    `${ORIGIN}/hiring/partner-docs/llms.txt`,
  );
  expect(warned).not.toHaveBeenCalled();
});

it('ignores the prefix of others, and malformed ones, and warns of each once', async () => {
  const docs = createPartnerDocs(OPTIONS);
  const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  const own = await ask(docs, '/partner-docs', []);
  for (const [prefix, isTrusted] of [
    [['/hiring'], undefined],
    [['/hiring'], false],
    [['/a', '/b'], true],
    [['/hiring/'], true],
    [['"><script>'], true],
  ] as const) {
    expect((await ask(docs, '/partner-docs', [...prefix], isTrusted)).body).toBe(own.body);
  }
  expect(warned.mock.calls.map(([message]) => String(message).slice(0, 60))).toEqual([
    'X-Forwarded-Prefix was ignored: the server does not trust wh',
    'X-Forwarded-Prefix was ignored: it must be a path such as /h',
  ]);
});

it.each(['hiring', '/hiring/', '/', '/../x', 7])('refuses the public path %j, with the fix', (publicPath) => {
  expect(() => createPartnerDocs({ ...OPTIONS, publicPath: publicPath as string })).toThrow(
    'createPartnerDocs: `publicPath` must be the path that your proxy removes, such as "/hiring"',
  );
});
