import { readFileSync } from 'node:fs';
import { CONSOLE_RIGHTS, createConsole } from '@partner-hiring/console';
import { createPartnerHiring } from '@partner-hiring/core';
import { createPostgresStorage } from '@partner-hiring/postgres';
import { Client } from 'pg';
import type { RunSize } from '../compare.js';
import { crawl } from '../console/crawl.js';
import { openDatabases } from '../databases.js';
import { fillKeys } from '../spread/filled-keys.js';

const FILL = {
  quick: { keys: 50, applications: 20, deadLetters: 20, requests: 1_000 },
  full: { keys: 1_000, applications: 5_000, deadLetters: 1_000, requests: 3_000_000 },
} as const;
/** How many times each kind of page is measured. */
const CALLS = { quick: 5, full: 100 } as const;
/** Of the server, as in `find`: the default would measure the operating system. */
const SETTINGS = { shared_buffers: '2GB' } as const;

const ORIGIN = 'http://console.test';
const GOAL_MS = 100;
/** How often the script of an open page asks for live counts. */
const REFRESH_EVERY_MS = 10_000;
/** A search for a person is a form. The names are those that `spread/fill.sql` gives. */
const SEARCHES = [
  ['name', 'Name12345'],
  ['name', 'Name1'],
  ['email', 'nobody@example.org'],
  ['phone', '+14155551234'],
] as const;

/**
 * Pages of the console on PostgreSQL with 5,000,000 applications, 1,000,000 dead letters and a month of requests. Follows all
 * links, and prints the time of the slowest kinds of pages at the 95th percentile.
 */
export async function benchConsole({ rounds }: RunSize, only: string): Promise<void> {
  if (!'console'.includes(only)) return;
  const size = rounds === 1 ? 'quick' : 'full';
  const fill = FILL[size];
  const databases = await openDatabases(SETTINGS);
  const connectionString = await databases.create();
  await fillKeys(connectionString, fill);
  await fillTrouble(connectionString, fill);
  const storage = await createPostgresStorage({ connectionString });
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
  const search = (by: string) => async (q: string) => {
    const headers = { 'sec-fetch-site': 'same-origin' };
    const body = new URLSearchParams({ q, by });
    return read(new Request(`${ORIGIN}/console/applications`, { method: 'POST', headers, body }));
  };

  const calls = CALLS[size];
  const kinds = await crawl(open, ['/console']);
  const times: { readonly name: string; readonly p95: number }[] = [];
  for (const { name, addresses } of kinds) times.push({ name, p95: await measure(addresses, open, calls) });
  for (const [by, text] of SEARCHES) {
    times.push({ name: `search for ${text}`, p95: await measure([text], search(by), calls) });
  }

  const rows = fill.keys * fill.applications;
  console.log(`\nPages of the console on PostgreSQL ${databases.version}: ${rows} applications, `);
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
  await databases.close();
}

async function fillTrouble(connectionString: string, fill: (typeof FILL)['quick' | 'full']): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  await client.query('set search_path = partner_hiring');
  const values = [fill.deadLetters, fill.requests, Date.now()];
  const sql = readFileSync(new URL('../console/fill.sql', import.meta.url), 'utf8');
  await client.query(
    values.reduce<string>((text, value, at) => text.replaceAll(`$${at + 1}`, `${value}`), sql),
  );
  await client.end();
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
