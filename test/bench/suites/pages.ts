import type { ListQuery } from '@partner-hiring/core/ports';
import type { ServerSettings } from '../../../examples/platform/database/embedded-postgres.js';
import { median, type RunSize } from '../compare.js';
import { openDatabases } from '../databases.js';
import { FIRST_STAMP, type FilledDatabase, type FilledKey, fillDatabase } from '../pages/filled-database.js';

const PAGE = 50;
const CALLS = 400;
/** Calls that nobody counts: until then what runs is not yet compiled, here and in the server. */
const WARM_UP = 100;
const SIZES = { quick: [1_000, 10_000], full: [10_000, 1_000_000] } as const;

interface Page {
  readonly rows: readonly unknown[];
}

type Filter = (key: FilledKey) => Partial<ListQuery>;

const COMPANY: Filter = ({ firstCompany }) => ({ companyId: firstCompany });
const STATUS: Filter = () => ({ status: 'in_progress' });

const LISTS = {
  jobs: {
    page: ({ storage }: FilledDatabase, query: ListQuery): Promise<Page> =>
      storage.direct.keyJobs.page(query),
    filters: { none: () => ({}), company: COMPANY },
  },
  applications: {
    page: ({ storage }: FilledDatabase, query: ListQuery): Promise<Page> =>
      storage.direct.applications.page(query),
    filters: {
      none: () => ({}),
      company: COMPANY,
      status: STATUS,
      'company and status': (key: FilledKey) => ({ ...COMPANY(key), ...STATUS(key) }),
    },
  },
} as const;

/**
 * What a database of a million rows is given: a quarter of 8 GB, as PostgreSQL's manual has it. The default,
 * 128 MB, would measure how often the operating system is asked for a page.
 */
const SETTINGS: ServerSettings = { shared_buffers: '2GB' };

/**
 * The time of a page of 50 anywhere in a list, on a small and a large database, for a key with one company and
 * one with many, with each filter: the medians should not tell which is which.
 */
export async function benchPages({ rounds }: RunSize, only: string): Promise<void> {
  if (!'pages'.includes(only) && only !== '') return;
  const sizes = rounds === 1 ? SIZES.quick : SIZES.full;
  const postgres = await openDatabases(SETTINGS);
  const databases: FilledDatabase[] = [];
  for (const rows of sizes) databases.push(await fillDatabase(await postgres.create(), rows));

  console.log(`\nA page of ${PAGE} on PostgreSQL ${postgres.version}, median of ${CALLS} calls, in µs\n`);
  console.log(`| List | key | filter | ${sizes.map((rows) => `${rows} rows`).join(' | ')} | ratio |`);
  console.log('|---|---|---|---|---|---|');
  for (const list of ['jobs', 'applications'] as const) await benchList(list, databases);
  for (const database of databases) await database.close();
  await postgres.close();
}

async function benchList(list: keyof typeof LISTS, databases: readonly FilledDatabase[]): Promise<void> {
  const cases = casesOf(list);
  const reads = cases.flatMap(({ read }) => databases.map((database) => () => read(database)));
  const medians = await mediansInTurn(reads);
  for (const [index, { name }] of cases.entries()) {
    const times = medians.slice(index * databases.length, (index + 1) * databases.length);
    const cells = [list, ...name, ...times.map((time) => time.toFixed(0)), spread(times).toFixed(2)];
    console.log(`| ${cells.join(' | ')} |`);
  }
  const goal = `${spread(medians).toFixed(2)} (goal: at most 1.5)`;
  console.log(`| ${list} | all | all | slowest to fastest | | ${goal} |`);
}

/** A list as one key asks for it. */
interface Case {
  readonly name: readonly [key: string, filter: string];
  readonly read: (database: FilledDatabase) => Promise<unknown>;
}

function casesOf(list: keyof typeof LISTS): readonly Case[] {
  const { page, filters } = LISTS[list];
  return (['oneCompany', 'manyCompanies'] as const).flatMap((keyName) =>
    Object.entries<Filter>(filters).map(([filterName, filter]) => ({
      name: [keyName, filterName] as const,
      read: (database: FilledDatabase) => {
        const key = database.keys[keyName];
        return page(database, randomQuery(key, filter(key)));
      },
    })),
  );
}

/** The median of each, all of them taking turns: a machine that slows down slows all of them. */
async function mediansInTurn(reads: readonly (() => Promise<unknown>)[]): Promise<readonly number[]> {
  const times = reads.map((): number[] => []);
  for (let call = -WARM_UP; call < CALLS; call += 1) {
    for (const [index, read] of reads.entries()) {
      const startedAt = performance.now();
      await read();
      if (call >= 0) times[index]?.push((performance.now() - startedAt) * 1_000);
    }
  }
  return times.map(median);
}

function spread(times: readonly number[]): number {
  return Math.max(...times) / Math.min(...times);
}

/** A page that begins somewhere in the first nine tenths of a list. */
function randomQuery({ keyId, rows }: FilledKey, filter: Partial<ListQuery>): ListQuery {
  const after = FIRST_STAMP + Math.floor(Math.random() * rows * 0.9);
  return { keyId, after, updatedSince: null, companyId: null, status: null, limit: PAGE, ...filter };
}
