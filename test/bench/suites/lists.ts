import { strict as assert } from 'node:assert';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { burst } from '../burst.js';
import { compare, inTurn, printHead, type RunSize } from '../compare.js';
import { type Databases, openDatabases } from '../databases.js';
import { createProcessTime, createServerTime } from '../deliveries/processor-time.js';
import { API, get } from '../requests.js';
import type { BenchPartner } from '../servers/seed.js';
import { type StartedServer, startServer } from '../start-server.js';

const CONNECTIONS = 64;
const PAGE = 50;
/** Jobs, and applications of each key: twelve pages of each list. */
const ROWS = { quick: 120, full: 600 } as const;
const TABLES = fileURLToPath(new URL('../by-hand/lists.sql', import.meta.url));

const STORAGES = ['sqlite', 'postgres'] as const;
const LISTS = ['jobs', 'applications'] as const;

/** A server to measure: where its lists are, and what it and its database have used so far, in ms. */
interface Side {
  readonly port: number;
  readonly base: string;
  readonly usedMs: (() => number) | null;
}

/** A page of a partner's list, by its path below that of the lists. */
interface PageOfPartner {
  readonly secret: string;
  readonly path: string;
}

/**
 * Pages of both lists against a server written by hand on the same database, with the same rows in tables of its own.
 * Partners walk through their lists, so each request asks for another page than the one before.
 */
export async function benchLists(size: RunSize, only: string): Promise<void> {
  const databases = await openDatabases();
  printHead(
    `Pages of ${PAGE} on SQLite and PostgreSQL ${databases.version} against a server by hand, ${CONNECTIONS} connections`,
  );
  for (const storage of STORAGES) await benchStorage(storage, databases, size, only);
  await databases.close();
}

async function benchStorage(
  storage: (typeof STORAGES)[number],
  databases: Databases,
  size: RunSize,
  only: string,
): Promise<void> {
  const measurements = LISTS.flatMap((list) => [
    { list, name: `${storage}: GET /${list}`, measure: requestsPerSecond },
    { list, name: `${storage}: GET /${list}, processor time`, measure: processorTime },
  ]).filter(({ name }) => name.includes(only));
  if (measurements.length === 0) return;

  const { ours, byHand, sides } = await startBoth(storage, databases, size);
  try {
    for (const { list, name, measure } of measurements) {
      const pages = await walk(list, ours.message.partners as readonly BenchPartner[], sides);
      await measure(name, pages, sides, size);
    }
  } finally {
    for (const server of [ours, byHand]) server.stop();
  }
}

async function startBoth(storage: (typeof STORAGES)[number], databases: Databases, { rounds }: RunSize) {
  const isSqlite = storage === 'sqlite';
  const address = isSqlite ? mkdtempSync(join(tmpdir(), 'partner-hiring-bench-')) : await databases.create();
  process.env.BENCH_ROWS = String(rounds === 1 ? ROWS.quick : ROWS.full);
  const ours = await startServer(`${storage}.js`, [address]);
  delete process.env.BENCH_ROWS;
  const file = isSqlite ? join(address, 'bench.sqlite') : address;
  const byHand = await startServer('lists-by-hand.js', [storage, file, TABLES]);

  const databaseMs = isSqlite ? () => 0 : await createServerTime(address);
  const sideOf = ({ port, child }: StartedServer, base: string): Side => {
    const serverMs = createProcessTime(child.pid);
    const isKnown = serverMs !== null && databaseMs !== null;
    return { port, base, usedMs: isKnown ? () => serverMs() + databaseMs() : null };
  };
  return { ours, byHand, sides: [sideOf(ours, API), sideOf(byHand, '')] as const };
}

type Sides = readonly [ours: Side, byHand: Side];

/** Walks through the list of each partner on both servers, and checks that they answer with the same bytes. */
async function walk(
  list: (typeof LISTS)[number],
  partners: readonly BenchPartner[],
  sides: Sides,
): Promise<readonly PageOfPartner[]> {
  const pages: PageOfPartner[] = [];
  for (const { secret } of partners) {
    let path: string | null = `/${list}`;
    while (path !== null) {
      const own: Reply = await read(sides[0], path, secret);
      const other: Reply = await read(sides[1], path, secret);
      assert.deepEqual(own, other, `The servers answer ${path} differently.`);
      const { data, next_cursor: cursor } = JSON.parse(own.body) as Page;
      // The last page may be shorter than the others.
      if (data.length === PAGE) pages.push({ secret, path });
      path = cursor === undefined ? null : `/${list}?cursor=${cursor}`;
    }
  }
  return pages;
}

interface Page {
  readonly data: readonly unknown[];
  readonly next_cursor?: string;
}

interface Reply {
  readonly body: string;
  readonly through: string | null;
}

async function read({ port, base }: Side, path: string, secret: string): Promise<Reply> {
  const headers = { authorization: `Bearer ${secret}` };
  const response = await fetch(`http://127.0.0.1:${port}${base}${path}`, { headers });
  assert.equal(response.status, 200);
  return { body: await response.text(), through: response.headers.get('x-updated-through') };
}

/** Each connection takes the next page of another partner. */
function burstOn({ port, base }: Side, pages: readonly PageOfPartner[], { durationMs }: RunSize) {
  let turn = 0;
  const nextRequest = () => {
    // A stride that is prime to the number of pages visits all of them, and a page's neighbours at other times.
    turn = (turn + 13) % pages.length;
    const { secret, path } = pages[turn] as PageOfPartner;
    return get(base + path, secret);
  };
  return burst({ port, status: 200, nextRequest, connections: CONNECTIONS, durationMs });
}

async function requestsPerSecond(
  name: string,
  pages: readonly PageOfPartner[],
  [ours, byHand]: Sides,
  size: RunSize,
): Promise<void> {
  const measure = inTurn(
    () => burstOn(ours, pages, size),
    () => burstOn(byHand, pages, size),
  );
  await compare({ name, unit: 'req/s', goal: { atLeast: 1.5 }, warmUpRounds: 2, measure }, size);
}

/** The processor time of a request, in the server and its database. Measures nothing where the system does not show it. */
async function processorTime(
  name: string,
  pages: readonly PageOfPartner[],
  [ours, byHand]: Sides,
  size: RunSize,
): Promise<void> {
  const perRequest = async (side: Side, usedMs: () => number) => {
    const [usedBefore, begunAt] = [usedMs(), performance.now()];
    const rate = await burstOn(side, pages, size);
    const requests = (rate * (performance.now() - begunAt)) / 1_000;
    return ((usedMs() - usedBefore) * 1_000) / requests;
  };
  const { usedMs: ownMs } = ours;
  const { usedMs: otherMs } = byHand;
  if (ownMs === null || otherMs === null) return;
  const measure = inTurn(
    () => perRequest(ours, ownMs),
    () => perRequest(byHand, otherMs),
  );
  await compare({ name, unit: 'µs', goal: null, measure }, size);
}
