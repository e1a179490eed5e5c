import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ApplicationId, createPartnerHiring, type Storage } from '@partner-hiring/core';
import type { Repositories } from '@partner-hiring/core/ports';
import { createPostgresStorage } from '@partner-hiring/postgres';
import { createSqliteStorage } from '@partner-hiring/sqlite';
import Sqlite from 'better-sqlite3';
import { Client } from 'pg';
import type { ServerSettings } from '../../../examples/platform/database/embedded-postgres.js';
import { median, type RunSize } from '../compare.js';
import { openDatabases } from '../databases.js';
import { benchSearch, fillNamesSql, lettersOf, type Search } from './find-search.js';

const PAGE = 100;
const CALLS = { quick: 50, full: 300 } as const;
/** Calls before the measurement. They let Node and the database compile what runs. */
const WARM_UP = 50;
const ROWS = { quick: 10_000, full: 100_000 } as const;
const GOAL = 1.2;

/** As in `pages`: the default, 128 MB, would measure the operating system. */
const SETTINGS: ServerSettings = { shared_buffers: '2GB' };

/** The first application was submitted one millisecond later. */
const START = 1_700_000_000_000;
const IDS = { keyId: 'key_find', companyId: 'co_find', jobId: 'job_find' } as const;
/** Ids of the same length sort by their number. */
const FIRST_ID = 10_000_000_000;
const LAST_NAMES = 1_000;
const NAME_NUMBER = `(n * 7919 % ${LAST_NAMES})`;

/** One key, one company and one job have all rows. One row in twenty is accepted. The same text runs on both databases. */
function fillSql(rows: number, schema: string): string {
  const at = `${START} + n`;
  return `with recursive numbers (n) as (select cast(1 as bigint) union all select n + 1 from numbers where n < ${rows})
    insert into ${schema}ph_application (id, key_id, job_id, company_id, source_application_id, status, stage, submitted_at,
      last_status_change_at, changed_at, first_name, last_name, email, phone, source, answers, resume_url, resume,
      last_name_key)
    select 'ej_app_' || (${FIRST_ID} + n), '${IDS.keyId}', '${IDS.jobId}', '${IDS.companyId}', 'source-' || n,
      case when n % 20 = 0 then 'accepted' when n % 3 = 0 then 'in_progress' when n % 3 = 1 then 'received'
        else 'rejected' end,
      'initial_outreach', ${at}, ${at}, ${at}, 'Ada', 'Name' || ${lettersOf(NAME_NUMBER)}, 'ada@example.org',
      '+14155550123', 'careers-page', '{}', null, '{"kind":"none"}', 'name' || ${lettersOf(NAME_NUMBER)}
    from numbers`;
}

interface Filled {
  readonly name: string;
  readonly direct: Repositories;
  readonly search: Search;
  close(): Promise<void>;
}

/** A look-up: its first page, and its page behind the application with a number. */
interface LookUp {
  readonly name: string;
  first(all: Repositories, rows: number): Promise<readonly unknown[] | null>;
  deep(all: Repositories, number: number, rows: number): Promise<readonly unknown[] | null>;
}

function idOf(number: number): ApplicationId {
  return `ej_app_${FIRST_ID + number}`;
}

/** Returns this application's number or one soon after it, whose last name has many others behind it. */
function beforeLastNames(number: number): number {
  return (number * 7919) % LAST_NAMES > 900 ? beforeLastNames(number + 1) : number;
}

type Newest = Parameters<Repositories['applications']['listNewest']>[0];

function newest(name: string, filter: Pick<Newest, 'scope' | 'status' | 'from'>): LookUp {
  return {
    name,
    first: (all) => all.applications.listNewest({ ...filter, limit: PAGE }),
    deep: (all, number) => {
      const after = { submittedAt: START + number, id: idOf(number) };
      return all.applications.listNewest({ ...filter, after, limit: PAGE });
    },
  };
}

const RANGE = { from: 'name', before: 'name\u{10FFFF}' };
const { keyId, companyId, jobId } = IDS;

const LOOK_UPS: readonly LookUp[] = [
  newest('newest of all', { scope: null }),
  ...Object.entries({ key: { keyId }, company: { companyId }, job: { jobId } }).flatMap(([name, scope]) => [
    newest(`newest of a ${name}`, { scope }),
    newest(`newest of a ${name}, from a time on`, { scope, from: START + 1 }),
    newest(`newest of a ${name}, rare status`, { scope, status: 'accepted' }),
    newest(`newest of a ${name}, status, from a time on`, { scope, status: 'received', from: START + 1 }),
  ]),
  {
    name: 'changes of a key',
    first: (all) => all.applications.listChanges({ keyId, after: START, limit: PAGE }),
    deep: (all, number, rows) =>
      all.applications.listChanges({ keyId, after: START + rows - number, limit: PAGE }),
  },
  {
    name: 'by last name',
    first: (all) => all.applications.listByLastName({ range: RANGE, limit: PAGE }),
    deep: (all, number) =>
      all.applications.listByLastName({ range: RANGE, after: idOf(beforeLastNames(number)), limit: PAGE }),
  },
  {
    name: 'by source id',
    first: (all) => all.applications.listBySourceId({ sourceApplicationId: 'source-1', limit: PAGE }),
    deep: (all, number) =>
      all.applications.listBySourceId({ sourceApplicationId: `source-${number}`, limit: PAGE }),
  },
];

/**
 * The time of a page deep in a list against the first page of the same list, for each look-up of
 * `applications.list`. `--rows` sets the number of applications.
 */
export async function benchFind(
  { rounds }: RunSize,
  only: string,
  _against: string,
  asked: number | null,
): Promise<void> {
  const isQuick = rounds === 1;
  const rows = asked ?? (isQuick ? ROWS.quick : ROWS.full);
  const calls = isQuick ? CALLS.quick : CALLS.full;
  const openers = { sqlite: fillSqlite, postgres: fillPostgres };
  console.log(
    `\nA page of ${PAGE} deep in ${rows} applications against the first page, median of ${calls} calls, in µs\n`,
  );
  console.log(
    '| Storage | look-up | deep | first | ratio | read again | goal |\n|---|---|---|---|---|---|---|',
  );
  for (const [name, open] of Object.entries(openers)) {
    const chosen = LOOK_UPS.filter((lookUp) => `${name} ${lookUp.name}`.includes(only));
    if (chosen.length === 0 && !only.includes('search')) continue;
    const filled = await open(rows);
    for (const lookUp of chosen) await benchLookUp(filled, lookUp, rows, calls);
    if (only === '' || only.includes('search')) await benchSearch(name, filled.search, calls);
    await filled.close();
  }
}

/** Both take turns: a machine that slows down slows both of them. */
async function benchLookUp(
  { name, direct }: Filled,
  lookUp: LookUp,
  rows: number,
  calls: number,
): Promise<void> {
  const times = { deep: [] as number[], again: [] as number[], first: [] as number[] };
  let number = 0;
  const sides = {
    deep: () => lookUp.deep(direct, number, rows),
    // The first page is always the same, so its rows are in the processor's caches. Here, those of the deep page are too.
    again: () => lookUp.deep(direct, number, rows),
    first: () => lookUp.first(direct, rows),
  };
  for (let call = -WARM_UP; call < calls; call += 1) {
    number = Math.ceil(rows * (0.2 + 0.3 * Math.random()));
    for (const side of ['deep', 'again', 'first'] as const) {
      const begun = performance.now();
      const found = await sides[side]();
      const tookUs = (performance.now() - begun) * 1_000;
      const expected = lookUp.name === 'by source id' ? 1 : PAGE;
      if (found?.length !== expected) throw new Error(`${lookUp.name}: the page is not full.`);
      if (call >= 0) times[side].push(tookUs);
    }
  }
  const [deep, again, first] = [median(times.deep), median(times.again), median(times.first)];
  const ratios = [deep / first, again / first].map((ratio) => ratio.toFixed(2)).join(' | ');
  console.log(
    `| ${name} | ${lookUp.name} | ${deep.toFixed(0)} | ${first.toFixed(0)} | ${ratios} | at most ${GOAL} |`,
  );
}

/** Adds what the applications belong to. */
async function seed(storage: Storage<never>): Promise<Search> {
  const { operator } = createPartnerHiring({ storage, secretKey: '0123456789abcdef'.repeat(4) });
  const { direct } = storage;
  const createdAt = START;
  const { id: partnerId } = await operator.partners.create({ name: 'Find ATS' });
  await direct.keys.add({ id: keyId, partnerId, environment: 'production', createdAt });
  await operator.companies.create({ id: companyId, name: 'Find Inc', environment: 'production' });
  await operator.jobs.publish({
    id: jobId,
    companyId,
    title: 'Picker',
    location: { city: 'Reno', state: 'NV', country: 'US' },
    compensation: { currency: 'USD' },
  });
  return (text) => operator.system.search({ text });
}

async function fillSqlite(rows: number): Promise<Filled> {
  const folder = mkdtempSync(join(tmpdir(), 'partner-hiring-bench-'));
  const file = join(folder, 'bench.sqlite');
  const storage = await createSqliteStorage({ file });
  const search = await seed(storage);
  const handle = new Sqlite(file);
  handle.exec(fillSql(rows, ''));
  for (const sql of fillNamesSql(rows, '')) handle.exec(sql);
  handle.exec('analyze');
  handle.close();
  return {
    name: 'sqlite',
    direct: storage.direct,
    search,
    close: async () => {
      await storage.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function fillPostgres(rows: number): Promise<Filled> {
  const databases = await openDatabases(SETTINGS);
  const connectionString = await databases.create();
  const storage = await createPostgresStorage({ connectionString });
  const search = await seed(storage);
  const client = new Client({ connectionString });
  await client.connect();
  await client.query(fillSql(rows, 'partner_hiring.'));
  for (const sql of fillNamesSql(rows, 'partner_hiring.')) await client.query(sql);
  await client.query('vacuum analyze');
  await client.end();
  return {
    name: 'postgres',
    direct: storage.direct,
    search,
    close: async () => {
      await storage.close();
      await databases.close();
    },
  };
}
