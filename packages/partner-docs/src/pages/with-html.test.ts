import { describe, expect, it } from 'vitest';
import { createPartnerDocs } from './create-partner-docs.js';
import type { PartnerDocsPage } from './partner-docs-page.js';

const SUPPORT = {
  email: 'partners@acme.test',
  url: 'https://acme.test/support',
  statusUrl: 'https://status.acme.test',
};
/** The server is behind the prefix `/hiring`, which the handler does not see. */
const ORIGIN = 'https://jobs.acme.test/hiring';
const { pages } = createPartnerDocs({
  origin: ORIGIN,
  docsPath: '/for/ats',
  sandbox: true,
  selfService: { events: true },
  support: SUPPORT,
});
const FOLDER = `${ORIGIN}/for/ats`;
const HTML = pages.filter(({ html }) => html !== undefined);

/** The address of a page in a browser. */
const addressOf = ({ path }: PartnerDocsPage) =>
  path === 'llms.txt' ? FOLDER : `${FOLDER}/${path.replace(/\.md$/, '')}`;
const htmlOf = ({ html }: PartnerDocsPage) => html?.text ?? '';
const hrefsOf = (html: string) => [...html.matchAll(/<a href="([^"]*)"/g)].map(([, href = '']) => href);
const idsOf = (html: string) => [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);

it('gives each page in Markdown, and the index, its HTML', () => {
  expect(HTML.map(({ path }) => path)).toEqual([
    'llms.txt',
    ...pages.map(({ path }) => path).filter((path) => path.endsWith('.md')),
  ]);
});

describe.each(HTML)('the HTML of $path', (page) => {
  const html = htmlOf(page);

  it('leads from its menu to every page, and marks itself there', () => {
    const menu = /<nav[\s\S]*<\/nav>/.exec(html)?.[0] ?? '';
    const targets = hrefsOf(menu).map((href) => new URL(href, addressOf(page)).href);
    const files = pages.filter(({ html: own, path }) => own === undefined && !path.includes('/'));
    expect(targets).toHaveLength(HTML.length + files.length);
    expect(targets).toEqual(
      expect.arrayContaining([...HTML.map(addressOf), ...files.map(({ path }) => `${FOLDER}/${path}`)]),
    );
    const [current = '', ...others] = [...menu.matchAll(/href="([^"]*)" aria-current="page"/g)].map(
      ([, href]) => href,
    );
    expect([new URL(current, addressOf(page)).href, others]).toEqual([addressOf(page), []]);
  });

  it('links only to HTML, files and headings that exist', () => {
    const found = new Map(HTML.map((one) => [addressOf(one), idsOf(htmlOf(one))]));
    const broken = hrefsOf(html).filter((href) => {
      const { href: target } = new URL(href, addressOf(page));
      const [address = '', anchor] = target.split('#');
      if (!address.startsWith(FOLDER)) return false;
      const ids = found.get(address);
      if (ids === undefined) return !pages.some(({ path }) => `${FOLDER}/${path}` === address);
      return anchor !== undefined && !ids.includes(decodeURIComponent(anchor));
    });
    expect(broken).toEqual([]);
  });

  it('names the support of the host, in both forms', () => {
    const hrefs = hrefsOf(html);
    for (const href of [`mailto:${SUPPORT.email}`, SUPPORT.url, SUPPORT.statusUrl]) {
      expect(hrefs).toContain(href);
      expect(page.text).toContain(`](${href})`);
    }
  });

  it('has well-formed elements, and loads nothing', () => {
    const tags = [
      ...html.replaceAll(/<(style|script)>.*?<\/\1>/gs, '').matchAll(/<(\/?)([a-z][a-z0-9]*)[^>]*>/g),
    ].filter(([, , name]) => name !== 'meta' && name !== 'link');
    const open: string[] = [];
    for (const [, slash, name = ''] of tags) {
      if (slash === '') open.push(name);
      else expect(open.pop()).toBe(name);
    }
    expect(open).toEqual([]);
    expect(html).not.toMatch(/<script\s|\ssrc=|\sstyle=|url\(|@import/);
  });
});

it('names the documentation and the support in openapi.json', () => {
  const text = pages.find(({ path }) => path === 'openapi.json')?.text ?? '{}';
  expect(JSON.parse(text)).toMatchObject({
    externalDocs: { url: FOLDER },
    info: { contact: { email: SUPPORT.email, url: SUPPORT.url } },
  });
});
