import { type Browser, isBelow, type Seen } from './browser.js';

/** What a walk found. */
export interface Walk {
  /** Links, forms and files that lead out of the prefix, or that did not work. */
  readonly problems: readonly string[];
  /** How many different pages, files and forms were asked for. */
  readonly pages: number;
  readonly files: number;
  readonly forms: number;
}

/** One page of each kind is enough: its links do not depend on the object. */
const MOST_OF_A_KIND = 1;

interface Form {
  readonly method: string;
  readonly url: URL;
  readonly fields: URLSearchParams;
}

/** Follows every link, file and form below a prefix. Does not confirm an act, and does not sign out. */
export async function walk(browser: Browser, starts: readonly Seen[], prefix: string): Promise<Walk> {
  const problems: string[] = [];
  const seen = { pages: new Map<string, number>(), files: new Map<string, number>(), forms: new Map() };
  const open: URL[] = [];
  const isNew = (of: Map<string, number>, kind: string) => {
    const count = of.get(kind) ?? 0;
    of.set(kind, count + 1);
    return count < MOST_OF_A_KIND;
  };

  async function read(page: Seen): Promise<void> {
    const { url: at, text } = page;
    const toUrl = (address: string) => new URL(address.replaceAll('&amp;', '&'), at);
    const check = (to: URL) => {
      const isOwn = to.origin === at.origin;
      if (isOwn && !isBelow(to.pathname, prefix)) problems.push(`${at.pathname} leads to ${to.pathname}`);
      return isOwn;
    };
    for (const [, name, address = ''] of text.matchAll(/\s(href|src|data-live-source)="([^"]*)"/g)) {
      if (address.startsWith('#')) continue;
      const to = toUrl(address);
      to.hash = '';
      if (!check(to)) continue;
      if (name === 'href') open.push(to);
      else if (isNew(seen.files, to.href)) expectOk(await browser.get(to));
    }
    for (const [, address = ''] of text.matchAll(/\]\((https?:[^)\s]+)\)/g)) {
      const to = toUrl(address);
      to.hash = '';
      if (check(to)) open.push(to);
    }
    for (const form of formsOf(page, toUrl)) await submit(form, at);
    function expectOk(file: Seen): void {
      if (file.status !== 200) problems.push(`${at.pathname} loads ${file.url.pathname}: ${file.status}`);
    }
    async function submit({ method, url, fields }: Form, from: URL): Promise<void> {
      if (!check(url) || fields.has('confirmed') || url.pathname.endsWith('/sign-out')) return;
      if (!isNew(seen.forms, `${method} ${kindOf(url)} ${[...fields.keys()].sort()}`)) return;
      if (method === 'get') return void open.push(new URL(`?${fields}`, url));
      const answer = await browser.post(url, fields);
      if ([403, 404, 405].includes(answer.status) || answer.status >= 500) {
        problems.push(`${from.pathname} posts to ${url.pathname}: ${answer.status}`);
      }
      if (answer.type.startsWith('text/html')) await read(answer);
    }
  }

  for (const start of starts) await read(start);
  for (let url = open.shift(); url !== undefined; url = open.shift()) {
    if (!isNew(seen.pages, kindOf(url))) continue;
    const page = await browser.get(url);
    if (page.status !== 200) problems.push(`${url.pathname}${url.search}: ${page.status}`);
    if (/^text\/(html|markdown|plain)/.test(page.type)) await read(page);
  }
  return { problems, pages: seen.pages.size, files: seen.files.size, forms: seen.forms.size };
}

/** An address without ids and values. */
function kindOf({ pathname, searchParams }: URL): string {
  const path = pathname.replaceAll(/\/(?:[a-z]+(?:_app)?_[\w-]{8,}|[0-9a-f-]{36})(?=\/|$)/g, '/*');
  return `${path}?${[...new Set(searchParams.keys())].sort().join('&')}`;
}

function formsOf({ url, text }: Seen, toUrl: (address: string) => URL): readonly Form[] {
  return [...text.matchAll(/<form([^>]*)>(.*?)<\/form>/gs)].flatMap(([, attributes = '', inner = '']) => {
    const method = attributeOf(attributes, 'method') ?? 'get';
    const action = attributeOf(attributes, 'action');
    const fields = new URLSearchParams();
    for (const [, input = ''] of inner.matchAll(/<input([^>]*)>/g)) {
      const isLeftOut = /type="(?:checkbox|radio)"/.test(input) && !/\schecked/.test(input);
      const name = attributeOf(input, 'name');
      if (name !== null && !isLeftOut) fields.append(name, attributeOf(input, 'value') ?? '');
    }
    const id = attributeOf(attributes, 'id');
    // Buttons of other parts of the page name the form that they submit.
    const named =
      id === null
        ? []
        : [...text.matchAll(/<button[^>]*>/g)].filter(([tag]) => attributeOf(tag, 'form') === id);
    const buttons = `${inner}${named.join('')}`;
    const others = [...buttons.matchAll(/formaction="([^"]*)"/g)].map(([, address = '']) => toUrl(address));
    const targets = action === null && others.length > 0 ? others : [toUrl(action ?? url.href), ...others];
    return buttons.includes('<button') || inner.includes('<input')
      ? targets.map((target) => ({ method, url: target, fields }))
      : [];
  });
}

function attributeOf(attributes: string, name: string): string | null {
  return new RegExp(`\\s${name}="([^"]*)"`).exec(attributes)?.[1]?.replaceAll('&amp;', '&') ?? null;
}
