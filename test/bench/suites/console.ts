import { CONSOLE_RIGHTS, createConsole } from '@partner-hiring/console';
import { createPartnerHiring, type Operator, type Storage } from '@partner-hiring/core';
import type { RunSize } from '../compare.js';
import { crawl } from '../console/crawl.js';
import { type ConsoleFill, openFilledPostgres, openFilledSqlite } from '../console/filled-databases.js';

const FULL = { applications: 5_000, deadLetters: 1_000 } as const;
const QUICK = { keys: 50, applications: 20, deadLetters: 20, requests: 1_000 } as const;
const FILL = {
  quick: { sqlite: QUICK, postgres: QUICK },
  full: {
    sqlite: { ...FULL, keys: 200, requests: 600_000 },
    postgres: { ...FULL, keys: 1_000, requests: 3_000_000 },
  },
} as const;
/** How many times each kind of page is measured. */
const CALLS = { quick: 5, full: 100 } as const;
/** Of the server, as in `find`: the default would measure the operating system. */
const SETTINGS = { shared_buffers: '2GB' } as const;

const ORIGIN = 'http://console.test';
const GOAL_MS = 100;
/** How often the script of an open page asks for live counts. */
const REFRESH_EVERY_MS = 10_000;
/** How many texts of one kind to search for. */
const EACH = 12;
const NOBODY = 'an e-mail address of nobody';

/**
 * Pages and searches of the console on both storages: with 5,000,000 applications, 1,000,000 dead letters and a month of
 * requests on PostgreSQL, and a fifth of that on SQLite. Follows all links, and prints the time of the slowest kinds of pages
 * at the 95th percentile.
 */
export async function benchConsole({ rounds }: RunSize, only: string): Promise<void> {
  const size = rounds === 1 ? 'quick' : 'full';
  if ('console postgres'.includes(only)) {
    const fill = FILL[size].postgres;
    const { storage, close } = await openFilledPostgres(fill, SETTINGS);
    await measurePages('PostgreSQL', storage, fill, CALLS[size]);
    await close();
  }
  if ('console sqlite'.includes(only)) {
    const fill = FILL[size].sqlite;
    const { storage, close } = await openFilledSqlite(fill, SETTINGS);
    await measurePages('SQLite', storage, fill, CALLS[size]);
    await close();
  }
}

async function measurePages(
  name: string,
  storage: Storage<never>,
  fill: ConsoleFill,
  calls: number,
): Promise<void> {
  const { operator, close } = createPartnerHiring({ storage, secretKey: '0123456789abcdef'.repeat(4) });
  const actor = () =>
    ({ id: 'bench', name: 'Bench', rights: CONSOLE_RIGHTS.admin, partnerIds: 'all' }) as const;
  const { fetch } = createConsole({ operator, actor });
  const read = async (request: Request) => {
    const response = await fetch(request);
    const text = await response.text();
    if (response.status === 200) return text;
    throw new Error(`${request.url} answered ${response.status}: ${text.slice(0, 500)}`);
  };
  const open = (address: string) => read(new Request(`${ORIGIN}${address}`));
  const headers = { 'sec-fetch-site': 'same-origin' };
  const search = async (q: string) => {
    const body = new URLSearchParams({ q });
    const response = await fetch(new Request(`${ORIGIN}/console/search`, { method: 'POST', headers, body }));
    const address = response.headers.get('location');
    if (address !== null) return open(address);
    const text = await response.text();
    if (response.status !== 200) throw new Error(`The search for ${q} answered ${response.status}: ${text}`);
    return text;
  };

  const [newest] = (await operator.applications.list({ limit: 1 })).items;
  const kinds = await crawl(open, ['/console', `/console/people/${newest?.id}`]);
  const times: { readonly name: string; readonly p95: number }[] = [];
  for (const { name, addresses } of kinds) times.push({ name, p95: await measure(addresses, open, calls) });
  for (const [by, texts] of await searchesOf(operator)) {
    const [first] = texts;
    if (first === undefined) throw new Error(`There is nothing to search by ${by}.`);
    const found = await search(first);
    if (found.includes('Nothing found.') !== (by === NOBODY))
      throw new Error(`The search by ${by}: ${found}`);
    times.push({ name: `search by ${by}`, p95: await measure(texts, search, calls) });
  }

  const rows = fill.keys * fill.applications;
  console.log(`\nPages of the console on ${name}: ${rows} applications, `);
  console.log(
    `${fill.keys * fill.deadLetters} dead letters, ${fill.requests} requests; 95th percentile, goal ${GOAL_MS} ms\n`,
  );
  console.log('| Page | ms |\n|---|---|');
  const slowestFirst = times.toSorted((a, b) => b.p95 - a.p95);
  for (const { name, p95 } of slowestFirst) console.log(`| ${name} | ${p95.toFixed(1)} |`);
  const slow = slowestFirst.filter(({ p95 }) => p95 > GOAL_MS);
  console.log(`\n${times.length} kinds of pages, ${slow.length} above ${GOAL_MS} ms`);
  await printShare(open);
  await close();
}

/** Texts for each kind of search. The names are those that `spread/fill.sql` gives. */
async function searchesOf(
  operator: Operator<never>,
): Promise<readonly (readonly [by: string, texts: string[]])[]> {
  const { items: applications } = await operator.applications.list({ limit: EACH });
  const { items: events } = await operator.deliveries.list({ state: 'dead', limit: EACH });
  const { items: requests } = await operator.requests.list({ limit: EACH });
  const { items: operations } = await operator.operations.list({ limit: EACH });
  const numbers = Array.from({ length: EACH }, (_, number) => number + 1);
  const names = applications.map(({ candidate }) => candidate);
  return [
    ['both names', names.map(({ firstName, lastName }) => `${firstName} ${lastName}`)],
    ['both names in the other order, with an accent', names.map(({ lastName }) => `${lastName}, Áda`)],
    ['a name that all have', ['ada name']],
    ['an e-mail address', names.map(({ email }) => email)],
    [NOBODY, ['nobody@example.org']],
    ['a phone number', names.map(({ phone }) => phone)],
    ['a partner', numbers.map((number) => `ats ${number}`)],
    ['a company', numbers.map((number) => `employer ${number}`)],
    ['a title of all jobs', ['warehouse associate']],
    ['an id of an event', events.map(({ eventId }) => eventId)],
    ['an id of a request', requests.map(({ requestId }) => requestId)],
    ['an id of an operation', operations.map(({ id }) => id)],
    ['the partner’s own id', applications.flatMap(({ sourceApplicationId }) => sourceApplicationId ?? [])],
  ];
}

/** Returns the 95th percentile of `calls` pages, in milliseconds. */
async function measure(
  addresses: readonly string[],
  open: (address: string) => Promise<string>,
  calls: number,
): Promise<number> {
  const times: number[] = [];
  for (let call = 0; call < calls; call += 1) {
    const start = performance.now();
    await open(addresses[call % addresses.length] ?? '/console');
    times.push(performance.now() - start);
  }
  return times.toSorted((a, b) => a - b)[Math.ceil(calls * 0.95) - 1] ?? Number.NaN;
}

/** Prints the share of one core that an open page costs: the whole time of a refresh, also while the database works. */
async function printShare(open: (address: string) => Promise<string>): Promise<void> {
  const source = /data-live-source="([^"]+)"/.exec(await open('/console'))?.[1];
  if (source === undefined) throw new Error('The overview has no live counts.');
  const p95 = await measure([source.replaceAll('&amp;', '&')], open, CALLS.full);
  const share = (p95 / REFRESH_EVERY_MS) * 100;
  console.log(
    `An open page costs at most ${share.toFixed(2)} % of a core (goal 1 %): ${p95.toFixed(1)} ms each ${REFRESH_EVERY_MS / 1_000} s`,
  );
}
