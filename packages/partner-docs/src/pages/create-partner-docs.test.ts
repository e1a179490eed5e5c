import { describe, expect, it } from 'vitest';
import { createPartnerDocs } from './create-partner-docs.js';
import type { PartnerDocsOptions } from './host-facts.js';

const ORIGIN = 'https://jobs.acme.test';
const OWN: PartnerDocsOptions = {
  origin: `${ORIGIN}/`,
  docsPath: '/ats',
  basePath: '/partners/v1',
  limits: {
    submit_application: 21,
    read_application: 22,
    list_applications: 23,
    list_jobs: 24,
    list_events: 26,
    webhook_endpoint: 27,
    guard: 25,
  },
  maxBodyBytes: 5_000,
  bodyTimeoutMs: 7_000,
  maxInFlightPerKey: 8,
  sandbox: true,
};

function textOf(path: string, options = OWN): string {
  const page = createPartnerDocs(options).pages.find((one) => one.path === path);
  if (page === undefined) throw new Error(`There is no page ${path}.`);
  return page.text;
}

function ask(path: string, init: RequestInit = {}, options = OWN): Promise<Response> {
  return createPartnerDocs(options).fetch(new Request(`${ORIGIN}${path}`, init));
}

describe('the pages', () => {
  it.each([true, false])(
    'link only to pages and headings that are served, or to the web (sandbox and events: %s)',
    (events) => {
      const { pages } = createPartnerDocs({ ...OWN, sandbox: events, selfService: { events } });
      const texts = new Map(pages.map(({ path, text }) => [path, text]));
      const broken = pages
        .filter(({ path }) => path.endsWith('.md'))
        .flatMap(({ path, text }) => linksOf(text).map((link) => [path, link] as const))
        .filter(([path, link]) => !/^https:/.test(link) && !leadsSomewhere(path, link, texts));
      expect(broken).toEqual([]);
    },
  );

  it('show the address of the host, and no example of one', () => {
    for (const { path, text } of createPartnerDocs(OWN).pages) {
      expect(text, path).not.toMatch(/hiring\.example\.com|127\.0\.0\.1:3000|\/api\/v1\/external/);
    }
    expect(textOf('partner-guide.md')).toContain(`BASE=${ORIGIN}/partners/v1\n`);
    expect(textOf('quick-start-partner.md')).toContain(`PARTNER_API_URL=${ORIGIN}/partners/v1\n`);
    expect(textOf('sandbox.md')).toContain(`BASE=${ORIGIN}/partners/v1\n`);
    expect(textOf('openapi.json')).toContain(`"url": "${ORIGIN}/partners/v1"`);
  });

  it('show the limits of the host', () => {
    const limits = textOf('errors-and-limits.md');
    for (const row of [
      '| `POST /applications` | 21, or 105 in bootstrap mode | key and company |',
      '| `GET /applications/{id}` | 22 | key |',
      '| `GET /applications` | 23 | key |',
      '| `GET /jobs` | 24 | key |',
      'first in a minute | 25 | key |',
      '| body of a submission | 5000 bytes |',
      '| time for a body to arrive | 7 seconds; then 503 |',
      '| concurrent requests of a key | 8 in each process; then 429',
      '- After 25 "other requests"',
    ]) {
      expect(limits).toContain(row);
    }
    expect(textOf('partner-guide.md')).toContain('limit of 25 [other');
    expect(textOf('api.md')).toContain('| 21, or 105 in bootstrap mode |');
    expect(textOf('sandbox.md')).toContain('the limit of the service: 5000 bytes.');
    expect(textOf('sandbox.md')).toContain('with 22 candidates in a minute');
  });

  it('say nothing about a clone of this repository or its tests', () => {
    expect(textOf('quick-start-partner.md')).not.toMatch(/npm ci|clone of this repository|<!--/);
    expect(textOf('errors-and-limits.md')).not.toMatch(/compares the tables|<!--/);
  });

  it('leave out the sandbox and the quick start, which needs it, if the service has no sandbox', () => {
    const { sandbox: _, ...others } = OWN;
    const paths = createPartnerDocs(others).pages.map(({ path }) => path);
    expect(paths).toContain('partner-guide.md');
    expect(paths).not.toContain('sandbox.md');
    expect(paths).not.toContain('quick-start-partner.md');
  });

  it('explain how to fetch events only if the service has them', () => {
    const text = textOf('events.md', { ...OWN, selfService: { events: true } });
    expect(text).toContain('has 26 requests a minute');
    expect(text).toContain('# poll_events.py');
    expect(createPartnerDocs(OWN).pages.map(({ path }) => path)).not.toContain('events.md');
  });

  it('state as a fact what the service offers, and leave out the rest', () => {
    const everything = { ...OWN, selfService: { events: true, endpoint: true } };
    const guides = (own: typeof everything | typeof OWN) =>
      createPartnerDocs(own)
        .pages.filter(({ path }) => path.endsWith('.md') && path !== 'api-changelog.md')
        .map(({ text }) => text)
        .join('\n');
    expect(guides(everything)).toContain('\n`GET /events` lists the events that webhooks send');
    for (const path of ['errors-and-limits.md', 'api.md']) {
      expect(textOf(path, everything)).toContain('| `GET /events` | 26 | key |\n');
      expect(textOf(path, everything)).toContain('| all of `/webhook-endpoint` | 27 | key |\n');
    }
    expect(textOf('questions.md', everything)).toContain('\nYes, with [`GET /events`](events.md).');
    expect(textOf('questions.md')).toContain('\nNo. This service does not offer [`GET /events`](');
    expect(guides(OWN).replace('does not offer [`GET /events`]', '')).not.toMatch(
      /GET \/events|\/webhook-endpoint/,
    );
    for (const text of [guides(OWN), guides(everything)]) {
      expect(text).not.toMatch(
        /if the (?:operator|host|service|platform)[^.\n]{0,20} (?:offers|serves|lets)|<!--/i,
      );
    }
  });

  it('show only the routes of `/webhook-endpoint` that the service serves', () => {
    const page = textOf('webhooks.md', { ...OWN, selfService: { endpoint: true, pause: true } });
    expect(page.match(/[A-Z]+ \/webhook-endpoint[^`]*/g)).toEqual([
      'GET /webhook-endpoint',
      'POST /webhook-endpoint/pause',
    ]);
    expect(page).not.toContain('The first `PUT');
    expect(textOf('webhooks.md', { ...OWN, selfService: { url: true } })).toContain('The first `PUT');
  });

  it('say where the packages come from at each line that installs them', () => {
    const own = { ...OWN, selfService: { events: true } };
    for (const { path, text } of createPartnerDocs(own).pages) {
      const before = text.split('```sh\nnpm install @partner-hiring').slice(0, -1);
      for (const part of before)
        expect(part, path).toMatch(/ not on npm yet: .{0,300} instead of this one:\n\n$/s);
    }
  });

  it('install the packages from the tarballs of the host, if it has them', () => {
    const own = { ...OWN, packagesUrl: `${ORIGIN}/packages/` };
    for (const path of ['quick-start-partner.md', 'webhooks.md']) {
      const text = textOf(path, own);
      const installed = [...text.matchAll(/^npm install (.*)$/gm)]
        .map(([, packages = '']) => packages)
        .join(' ');
      expect(installed).toMatch(
        new RegExp(`${ORIGIN}/packages/partner-hiring-webhook-verifier-\\d+\\.\\d+\\.\\d+\\.tgz`),
      );
      expect(installed).toContain(`${ORIGIN}/packages/partner-hiring-certify-`);
      expect(installed).not.toContain('@partner-hiring/');
      expect(text).not.toMatch(/npm yet|npm run pack/);
    }
  });

  it('have the files of the repository: vectors, and receivers in six languages', () => {
    const paths = createPartnerDocs(OWN).pages.map(({ path }) => path);
    for (const name of ['mjs', 'py', 'go', 'php', 'rb'].map((ending) => `receiver.${ending}`)) {
      expect(paths).toContain(`receivers/${name}`);
      expect(textOf('webhooks.md')).toContain(`](receivers/${name})`);
    }
    expect(textOf('webhooks.md')).toContain('](receivers/Receiver.java)');
    expect(textOf('webhooks.md')).toContain('](vectors.json)');
    expect(JSON.parse(textOf('vectors.json'))).toHaveProperty('verify');
  });

  it('are all in llms.txt, with their address', () => {
    const { pages } = createPartnerDocs(OWN);
    const listed = [...textOf('llms.txt').matchAll(/^- \[[^\]]+\]\((\S+)\): \S/gm)].map(([, url]) => url);
    const expected = pages
      .filter(({ path }) => path !== 'llms.txt')
      .map(({ path }) => `${ORIGIN}/ats/${path}`);
    expect([...listed].sort()).toEqual([...expected].sort());
    expect(textOf('llms.txt')).toMatch(/^# .+\n\n> .+\n/);
  });

  it('describe each operation, event and schema in the reference', () => {
    const reference = textOf('api.md');
    const document = JSON.parse(textOf('openapi.json')) as {
      paths: Record<string, object>;
      'x-webhooks': object;
      components: { schemas: object };
    };
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const headings = [
      ...operations,
      ...Object.keys(document['x-webhooks']),
      ...Object.keys(document.components.schemas),
    ];
    for (const heading of headings) expect(reference).toContain(`\n### ${heading}\n`);
    expect(reference).toContain('| `candidate.email` | string (at most 254) | yes |');
    expect(reference).toContain('| `options` | list of [FormOption](#formoption) | no |');
  });
});

describe('the handler', () => {
  it('serves each page under its path', async () => {
    for (const { path, text, contentType } of createPartnerDocs(OWN).pages) {
      const response = await ask(`/ats/${path}`);
      expect([response.status, response.headers.get('content-type')], path).toEqual([200, contentType]);
      expect(await response.text()).toBe(text);
    }
  });

  it.each([
    ['/ats/webhooks', 'text/markdown', 'text/markdown; charset=utf-8'],
    ['/ats/webhooks', 'text/html;q=0.9, Text/Markdown;q=0.5', 'text/markdown; charset=utf-8'],
    ['/ats/webhooks', 'text/html, text/markdown;q=0', 'text/html; charset=utf-8'],
    ['/ats/webhooks', 'text/html,*/*;q=0.8', 'text/html; charset=utf-8'],
    ['/ats/api', '*/*', 'text/html; charset=utf-8'],
    ['/ats/sandbox', 'text/html,*/*;q=0.8', 'text/html; charset=utf-8'],
    ['/ats/sandbox', 'text/markdown, text/html', 'text/markdown; charset=utf-8'],
    ['/ats/sandbox.md', 'text/html', 'text/markdown; charset=utf-8'],
    ['/ats', '*/*', 'text/plain; charset=utf-8'],
    ['/ats', 'text/html,*/*;q=0.8', 'text/html; charset=utf-8'],
    ['/ats/llms.txt', 'text/html', 'text/plain; charset=utf-8'],
  ])('serves %s to Accept: %s as %s', async (path, accept, contentType) => {
    const { status, headers } = await ask(path, { headers: { accept } });
    expect([status, headers.get('content-type')]).toEqual([200, contentType]);
    expect(headers.get('vary')).toBe(/\.(?:md|txt)$/.test(path) ? null : 'Accept');
  });

  it('serves HTML with its content security policy', async () => {
    for (const path of ['/ats', '/ats/sandbox', '/ats/webhooks']) {
      const { headers } = await ask(path, { headers: { accept: 'text/html' } });
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('cache-control')).toBe('public, max-age=300');
    }
  });

  it('answers HEAD with the headers of GET, and without a body', async () => {
    const [head, get] = [await ask('/ats/api.md', { method: 'HEAD' }), await ask('/ats/api.md')];
    expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(get.headers));
    expect(await head.text()).toBe('');
  });

  it.each(['/ats/nothing.md', '/ats/', '/elsewhere', '/ats/../etc/passwd', '/ats/constructor'])(
    'answers 404 to %s and names the index',
    async (path) => {
      const response = await ask(path);
      expect(response.status).toBe(404);
      expect(await response.text()).toContain(`${ORIGIN}/ats/llms.txt`);
      expect(response.headers.get('cache-control')).toBe('no-store');
    },
  );

  it('answers 405 to other methods', async () => {
    const response = await ask('/ats/api.md', { method: 'POST', body: '{}' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

describe('refuses', () => {
  it.each([
    [{ origin: 'hiring.test' }, '`origin` must be the public URL'],
    [{ origin: 'https://hiring.test/$(reboot)' }, '`origin` must be the public URL'],
    [{ origin: 'https://user:secret@hiring.test' }, '`origin` must be the public URL'],
    [{ docsPath: '/' }, '`docsPath` must begin with a slash'],
    [{ docsPath: '/api/v1/external/docs' }, 'not be under `basePath`'],
    [{ docsPath: 'docs' }, '`docsPath` must begin with a slash'],
    [{ basePath: 'api' }, '`basePath` must begin with a slash'],
    [{ sandbox: 'false' }, '`sandbox` is the text'],
    [{ support: { email: 'us' } }, '`support.email` must be an e-mail address'],
    [{ support: { url: 'javascript:alert(1)' } }, '`support.url` must be a URL'],
    [{ support: { statusUrl: 'https://a.test/"><b>' } }, '`support.statusUrl` must be a URL'],
    [{ support: { mail: 'us@a.test' } }, 'no option `support.mail`'],
    [{ packagesUrl: 'https://a.test/$(reboot)' }, '`packagesUrl` must be the URL of a folder'],
    [{ path: '/docs' }, 'createPartnerDocs has no option `path`'],
    [{ limits: { submit: 1 } }, 'no option `limits.submit`'],
  ])('%j', (change, message) => {
    const options = { origin: ORIGIN, ...change } as PartnerDocsOptions;
    expect(() => createPartnerDocs(options)).toThrow(message);
  });
});

const FENCES = /^```.*?^```/gms;

function linksOf(text: string): readonly string[] {
  const prose = text.replaceAll(FENCES, '').replaceAll(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
}

function leadsSomewhere(from: string, link: string, texts: ReadonlyMap<string, string>): boolean {
  const [path = '', anchor] = link.split('#');
  const target = texts.get(path === '' ? from : path);
  if (target === undefined || anchor === undefined) return target !== undefined;
  const headings = [...target.replaceAll(FENCES, '').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
  return headings.includes(anchor);
}
