import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPartnerHiring, type InboxItem, type PartnerHiring, type Storage } from '@partner-hiring/core';
import type { InboxEntry } from '@partner-hiring/core/ports';
import { createPostgresStorage } from '@partner-hiring/postgres';
import { createSqliteStorage } from '@partner-hiring/sqlite';
import Sqlite from 'better-sqlite3';
import { Client } from 'pg';
import { burst } from '../burst.js';
import { compare, inTurn, printHead, type RunSize } from '../compare.js';
import { type Databases, openDatabases } from '../databases.js';
import { API, createPartners, post } from '../requests.js';
import { type BenchPartner, seedBenchmark } from '../servers/seed.js';
import { type StartedServer, startServer } from '../start-server.js';

const CONNECTIONS = 64;
const UNREAD = { quick: 1_000, full: 100_000 } as const;
const HANDED_OVER = { quick: 300, full: 5_000 } as const;
/** As many items as the library hands over in one transaction. */
const BATCH = 100;

/**
 * What the inbox costs: submissions with it on and a long unread inbox, against it off; and handing over items to a
 * host that inserts a row for each, against the same inserts in transactions of the same size.
 */
export async function benchInbox(size: RunSize, only: string): Promise<void> {
  const databases = await openDatabases();
  const isQuick = size.rounds === 1;
  printHead(
    `Submissions with ${isQuick ? UNREAD.quick : UNREAD.full} unread inbox items, ${CONNECTIONS} connections`,
  );
  for (const file of ['sqlite.js', 'postgres.js']) {
    if (!`${file} submissions`.includes(only)) continue;
    await benchSubmissions(file, databases, isQuick ? UNREAD.quick : UNREAD.full, size);
  }
  printHead('Handing over items to a host that inserts a row for each');
  const count = isQuick ? HANDED_OVER.quick : HANDED_OVER.full;
  if ('sqlite hand-over'.includes(only)) await benchSqlite(count, size);
  if ('postgres hand-over'.includes(only)) await benchPostgres(databases, count, size);
  await databases.close();
}

async function benchSubmissions(
  file: string,
  databases: Databases,
  unread: number,
  size: RunSize,
): Promise<void> {
  const args = async () => (file === 'postgres.js' ? [await databases.create()] : []);
  process.env.BENCH_UNREAD = String(unread);
  const on = await startServer(file, await args());
  delete process.env.BENCH_UNREAD;
  const off = await startServer(file, await args());
  const rateOf = (server: StartedServer) => {
    const { next } = createPartners(server.message.partners as readonly BenchPartner[]);
    const nextRequest = () => post(`${API}/applications`, next());
    const { port } = server;
    return () =>
      burst({ port, status: 201, nextRequest, connections: CONNECTIONS, durationMs: size.durationMs });
  };
  await compare(
    {
      name: file.replace('.js', ''),
      unit: 'req/s',
      goal: { atLeast: 0.95 },
      warmUpRounds: 2,
      measure: inTurn(rateOf(on), rateOf(off)),
    },
    size,
  );
  for (const server of [on, off]) server.stop();
}

/** A host to hand over to, and the same inserts by hand. */
interface Side {
  readonly name: string;
  readonly api: PartnerHiring<never>;
  readonly storage: Storage<never>;
  insert(items: readonly InboxItem[]): Promise<void> | void;
}

async function compareHandOver(
  { name, api, storage, insert }: Side,
  count: number,
  size: RunSize,
): Promise<void> {
  await storage.direct.inbox.turn(false);
  await seedBenchmark(api);
  const [first, ...rest] = (await api.operator.applications.list({ limit: 200 })).items;
  if (first === undefined) throw new Error('No application was seeded.');
  const own = [first, ...rest.filter(({ keyId }) => keyId === first.keyId)];
  await storage.direct.inbox.turn(true);
  let at = first.submittedAt;
  const fill = async (): Promise<readonly InboxEntry[]> => {
    const entries = Array.from({ length: count }, (_, index): InboxEntry => {
      at += 1;
      const { id: applicationId, keyId } = own[index % own.length] ?? first;
      return { applicationId, keyId, at, kind: 'application.submitted' };
    });
    await storage.direct.inbox.add(entries);
    return entries;
  };
  const perSecond = async (work: () => Promise<void>) => {
    const begun = performance.now();
    await work();
    return (count / (performance.now() - begun)) * 1_000;
  };
  let items: readonly InboxItem[] = [];
  await fill();
  while (items.length < count) {
    const taken = await api.operator.inbox.take({ limit: 1_000 });
    await api.operator.inbox.acknowledge(taken.map(({ id }) => id));
    items = [...items, ...taken];
  }
  await compare(
    {
      name,
      unit: 'items/s',
      goal: { atLeast: 0.8 },
      measure: inTurn(
        async () => {
          await fill();
          return perSecond(() => api.worker.drain());
        },
        () =>
          perSecond(async () => {
            for (let start = 0; start < items.length; start += BATCH)
              await insert(items.slice(start, start + BATCH));
          }),
      ),
    },
    size,
  );
}

const ROW = ({ id, application }: InboxItem) => {
  const { firstName, lastName, email, phone } = application?.candidate ?? NOBODY;
  return [id, firstName, lastName, email, phone] as const;
};
const NOBODY = { firstName: '', lastName: '', email: '', phone: '' };
const TABLE = 'candidate (id text, first_name text, last_name text, email text, phone text)';
const OPTIONS = { secretKey: '0123456789abcdef'.repeat(4), limits: { submit_application: 1_000_000 } };

async function benchSqlite(count: number, size: RunSize): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'partner-hiring-bench-'));
  const file = join(folder, 'bench.sqlite');
  const storage = await createSqliteStorage({ file });
  const handle = new Sqlite(file);
  handle.pragma('synchronous = full');
  handle.exec(`create table ${TABLE}`);
  const insertInto = (host: Sqlite.Database, items: readonly InboxItem[]) => {
    const insert = host.prepare('insert into candidate values (?, ?, ?, ?, ?)');
    for (const item of items) insert.run(...ROW(item));
  };
  const api = createPartnerHiring({
    ...OPTIONS,
    storage,
    inbox: { receive: (items, { tx }) => insertInto(tx, items) },
  });
  const byHand = handle.transaction((items: readonly InboxItem[]) => insertInto(handle, items));
  const insert = (items: readonly InboxItem[]) => byHand.immediate(items);
  await compareHandOver({ name: 'sqlite', api, storage, insert }, count, size);
  await api.close();
  handle.close();
  rmSync(folder, { recursive: true, force: true });
}

async function benchPostgres(databases: Databases, count: number, size: RunSize): Promise<void> {
  const connectionString = await databases.create();
  const storage = await createPostgresStorage({ connectionString });
  const client = new Client({ connectionString });
  await client.connect();
  await client.query(`create table ${TABLE}`);
  const insertInto = async (host: Pick<Client, 'query'>, items: readonly InboxItem[]) => {
    for (const item of items)
      await host.query('insert into public.candidate values ($1, $2, $3, $4, $5)', [...ROW(item)]);
  };
  const api = createPartnerHiring({
    ...OPTIONS,
    storage,
    inbox: { receive: (items, { tx }) => insertInto(tx, items) },
  });
  const insert = async (items: readonly InboxItem[]) => {
    await client.query('begin');
    await insertInto(client, items);
    await client.query('commit');
  };
  await compareHandOver({ name: 'postgres', api, storage, insert }, count, size);
  await api.close();
  await client.end();
}
