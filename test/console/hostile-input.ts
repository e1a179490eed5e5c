import { WAREHOUSE_JOB } from '@partner-hiring/test-support/partner';
import { vi } from 'vitest';
import { startProgram } from '../portal/acts-of-partner.js';
import type { Platform, Visit } from './platform.js';

/** More rows than a page of a list has. */
const MANY = 101;
/** Of the partner, whose pages are shorter. Each one is a request. */
const MANY_OWN = 51;

/** Adds rows to the lists of Acme, so that they have a second page, whose links have cursors. */
export async function seedLongLists(platform: Platform): Promise<void> {
  const { fixture, acme } = platform;
  const { operator } = fixture;
  const companyIds: `co_${string}`[] = [];
  for (let index = 0; index < MANY; index += 1) {
    const { id } = await operator.companies.create({ name: `Depot ${index}`, environment: 'production' });
    companyIds.push(id);
  }
  await operator.access.grant(companyIds.map((id) => ({ keyId: acme.keyId, companyId: id })));
  await operator.jobs.publish(
    Array.from({ length: MANY }, () => ({
      ...WAREHOUSE_JOB,
      companyId: acme.companyId as `co_${string}`,
    })),
  );
  const program = await startProgram(platform);
  for (let index = 0; index < MANY_OWN; index += 1) {
    const { status } = await program.submit({ sourceApplicationId: `ats-${index}` });
    if (status !== 201) throw new Error(`A submission got ${status}.`);
  }
}

/** Values that no page knows, as ids, cursors, states and whatever else a page reads. */
const VALUES: readonly string[] = [
  'x',
  '\0',
  'key_\0',
  `key_${'x'.repeat(5_000)}`,
  '__proto__',
  '../..',
  '%00',
  '-1',
  '9'.repeat(30),
  '0000-01-01T00:00',
];
/** Enough to see that a value is checked. */
const FEW: readonly string[] = ['x', '\0'];
/** Parts of an address that no browser writes: not UTF-8, not hexadecimal, and a path in a part. */
const RAW: readonly string[] = ['%ED%A0%80', '%E0%A4%A', '%2F..%2F'];
/** What a forged cursor has instead of one of its values. */
const FORGED: readonly unknown[] = [-1, Number.MAX_SAFE_INTEGER, 1e300, 'x', '\0', null];

/** Pages under a path, from the list of their screens. */
export interface Site {
  readonly root: string;
  readonly screens: readonly {
    readonly pages: Readonly<Record<string, { readonly csv?: unknown }>>;
    readonly actions?: Readonly<Record<string, unknown>>;
  }[];
  get(path: string): Promise<Visit>;
  post(path: string, fields: Readonly<Record<string, string>>): Promise<Visit>;
  /** Addresses of pages of others. */
  readonly foreign: readonly string[];
}

interface KnownPage {
  readonly route: string;
  /** The addresses that lead to the page, each with another parameter or another choice. */
  readonly addresses: URL[];
  /** The names of the parameters that it reads. */
  readonly names: Set<string>;
}

const MOST_ADDRESSES = 8;

function addressOf(href: string): URL {
  return new URL(href, 'https://page.test');
}

function patternOf(route: string): RegExp {
  return new RegExp(`^${route.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`);
}

/** Collects the names that a request reads of its query or its form. */
async function namesIn(send: () => Promise<Visit>) {
  const spies = (['get', 'getAll'] as const).map((method) => vi.spyOn(URLSearchParams.prototype, method));
  const { text } = await send();
  const names = spies.flatMap(({ mock }) => mock.calls.map(([name]) => name));
  for (const spy of spies) spy.mockRestore();
  return { text, names };
}

/** The addresses that the links of a page and the choices of its filter lead to. */
function linksIn(text: string): readonly string[] {
  const links = [...text.matchAll(/(?:href|data-[a-z-]+)="([^"#]*)"/g)].map(([, href = '']) =>
    href.replaceAll('&amp;', '&'),
  );
  const filters = [...text.matchAll(/<form[^>]* method="get" action="([^"]*)".*?<\/form>/gs)];
  const choices = filters.flatMap(([form, action = '']) =>
    [...form.matchAll(/<select[^>]* name="(\w+)".*?<\/select>/gs)].flatMap(([select, name = '']) =>
      [...select.matchAll(/<option value="([^"]+)"/g)].map(
        ([, choice = '']) => `${action}?${name}=${choice}`,
      ),
    ),
  );
  return [...links, ...choices];
}

/** Follows the links from each page. Visits a page again for a new parameter, and for some other choices. */
async function findPages({ root, screens, get }: Site): Promise<readonly KnownPage[]> {
  const routes = screens.flatMap(({ pages }) => Object.keys(pages));
  const pages = routes.map((route): KnownPage => ({ route, addresses: [], names: new Set() }));
  const pageOf = (path: string) =>
    pages.find(({ route }) => route === path) ?? pages.find(({ route }) => patternOf(route).test(path));
  const seen = new Set<string>();
  const isNew = (mark: string) => !seen.has(mark) && seen.add(mark).has(mark);
  const open = routes.filter((route) => !route.includes(':')).map((route) => `${root}${route}`);
  for (let href = open.shift(); href !== undefined; href = open.shift()) {
    const address = addressOf(href);
    const page = pageOf(address.pathname.slice(root.length) || '/');
    if (page === undefined) continue;
    const { route, addresses, names } = page;
    const parameters = [...address.searchParams].filter(([, value]) => value !== '');
    const hasNewName = ['', ...parameters.map(([name]) => name)].filter((name) => isNew(`${route}?${name}`));
    const hasNewChoice = parameters.filter(([name, value]) => isNew(`${route}?${name}=${value}`));
    const isMore = hasNewChoice.length > 0 && addresses.length < MOST_ADDRESSES;
    if (hasNewName.length === 0 && !isMore) continue;
    addresses.push(address);
    const { text, names: read } = await namesIn(() => get(href));
    for (const name of [...read, ...address.searchParams.keys()]) names.add(name);
    open.push(...linksIn(text).filter((link) => link.startsWith(root) && !link.includes('/assets/')));
  }
  const unlinked = pages.filter(({ addresses }) => addresses.length === 0);
  if (unlinked.length > 0) throw new Error(`No link leads to ${unlinked.map(({ route }) => route).join()}.`);
  return pages;
}

function isCursor(text: string): boolean {
  return Buffer.from(text, 'base64url').toString().startsWith('["');
}

function cursorsIn(addresses: readonly URL[]): readonly string[] {
  return addresses.flatMap(({ searchParams }) => [...searchParams.values()].filter(isCursor));
}

/** Returns the cursor with other values behind its binding. */
function forgeriesOf(cursor: string): readonly string[] {
  const [binding, ...values] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
  const write = (list: readonly unknown[]) => Buffer.from(JSON.stringify(list)).toString('base64url');
  return [
    write([binding]),
    ...values.flatMap((_, index) => FORGED.map((forged) => write([binding, ...values.with(index, forged)]))),
  ];
}

/** The route with its parameters replaced by those of a page above it. */
function pathFor(route: string, pages: readonly KnownPage[], root: string): string {
  const above = pages
    .filter((page) => page.route.includes(':') && `${route}/`.startsWith(`${page.route}/`))
    .flatMap(({ addresses }) => addresses.slice(0, 1));
  const [longest] = above.toSorted((one, other) => other.pathname.length - one.pathname.length);
  const known = longest?.pathname.slice(root.length).split('/') ?? [];
  return route
    .split('/')
    .map((part, index) => (part.startsWith(':') ? (known[index] ?? 'unknown') : part))
    .join('/');
}

/** The path with each of its parameters replaced by each value, and by an unknown id of the same kind. */
function hostilePaths(route: string, path: string): readonly string[] {
  return route.split('/').flatMap((part, index) => {
    if (!part.startsWith(':')) return [];
    const known = path.split('/')[index] ?? '';
    const segments = [...VALUES.map(encodeURIComponent), ...RAW, `${known.slice(0, -3)}zzz`];
    return segments.map((segment) => path.split('/').with(index, segment).join('/'));
  });
}

function withParameter({ searchParams }: URL, name: string, value: string): string {
  const rest = new URLSearchParams(searchParams);
  rest.delete(name);
  return `?${rest}&${name}=${value}`;
}

/** The queries of a page with one parameter replaced by each value. Cursors are forged where they belong. */
function hostileQueries(
  { addresses, names }: KnownPage,
  { cursors, ids }: { readonly cursors: readonly string[]; readonly ids: readonly string[] },
): readonly string[] {
  return addresses.flatMap((address, index) => {
    const values = index === 0 ? [...VALUES, ...ids].map(encodeURIComponent) : FEW.map(encodeURIComponent);
    return [...names].flatMap((name) => {
      const own = address.searchParams.get(name) ?? '';
      const others = isCursor(own) ? [...forgeriesOf(own), ...cursors] : [];
      const all = index === 0 ? [...values, ...RAW] : values;
      return [...all, ...others].map((value) => withParameter(address, name, value));
    });
  });
}

/** A request, and the answer to it. */
interface Try {
  readonly request: string;
  send(): Promise<Visit>;
}

/** Each page with values that it does not know, in each parameter of its path and its query. */
function hostilePages({ root, get, foreign }: Site, pages: readonly KnownPage[]): readonly Try[] {
  const others = foreign.map(addressOf);
  const cursors = [...new Set(cursorsIn([...pages.flatMap(({ addresses }) => addresses), ...others]))];
  const ids = others.flatMap(({ pathname }) => pathname.slice(root.length).split('/').slice(2));
  const paths = pages.flatMap((page) => {
    const path = pathFor(page.route, pages, root);
    const queries = hostileQueries(page, { cursors, ids: [...new Set(ids)] });
    return [...hostilePaths(page.route, path), ...queries.map((query) => `${path}${query}`)];
  });
  return triesOf({ get }, [...paths.map((path) => `${root}${path}`), ...foreign]);
}

function triesOf({ get }: Pick<Site, 'get'>, paths: readonly string[]): readonly Try[] {
  return [...new Set(paths)].map((path) => ({ request: `GET ${path}`, send: () => get(path) }));
}

/** The form of each act and of each export with values that it does not know, in its path and its fields. */
async function hostileForms(
  { root, screens, post }: Site,
  pages: readonly KnownPage[],
): Promise<readonly Try[]> {
  const routes = screens.flatMap(({ pages: shown, actions = {} }) => [
    ...Object.keys(actions),
    ...Object.entries(shown).flatMap(([route, { csv }]) => (csv === undefined ? [] : [`${route}.csv`])),
  ]);
  const tries: Try[] = [];
  const add = (path: string, fields: Readonly<Record<string, string>>) =>
    tries.push({
      request: `POST ${path} ${JSON.stringify(fields)}`,
      send: () => post(`${root}${path}`, fields),
    });
  for (const route of routes) {
    const path = pathFor(route, pages, root);
    for (const hostile of hostilePaths(route, path)) add(hostile, { confirmed: 'yes' });
    const { names } = await namesIn(() => post(`${root}${path}`, {}));
    for (const name of new Set(names)) for (const value of FEW) add(path, { [name]: value });
  }
  return tries;
}

const EXPECTED: readonly number[] = [200, 303, 400, 403, 404, 409];
const AT_ONCE = 10;

/** Sends the requests, and returns those that were not answered with a page. */
async function findUnanswered(tries: readonly Try[]): Promise<readonly string[]> {
  const problems: string[] = [];
  async function send({ request, send: answerOf }: Try): Promise<void> {
    const { status, headers, text } = await answerOf();
    const isPage = /<h1/.test(text) || !headers.get('content-type')?.startsWith('text/html');
    const isShown = status === 303 || (isPage && text !== '');
    if (!EXPECTED.includes(status) || !isShown) problems.push(`${status} ${request.slice(0, 300)}`);
  }
  for (let index = 0; index < tries.length; index += AT_ONCE) {
    await Promise.all(tries.slice(index, index + AT_ONCE).map(send));
  }
  return problems;
}

/** Opens each page with ids, cursors and filters that it does not know. Returns what was not answered with a page. */
export async function openHostilePages(site: Site): Promise<readonly string[]> {
  return findUnanswered(hostilePages(site, await findPages(site)));
}

/** Sends each form with ids and fields that it does not know. Returns what was not answered with a page. */
export async function sendHostileForms(site: Site): Promise<readonly string[]> {
  return findUnanswered(await hostileForms(site, await findPages(site)));
}

/** Opens the pages that somebody finds as somebody else. Returns what was not answered with a page. */
export async function openPagesOfOthers(site: Site, become: () => void): Promise<readonly string[]> {
  const pages = await findPages(site);
  become();
  const found = pages.flatMap(({ addresses }) =>
    addresses.map(({ pathname, search }) => `${pathname}${search}`),
  );
  return findUnanswered(triesOf(site, found));
}
