import type { ListQuery } from '@partner-hiring/core/ports';
import { median, type RunSize } from '../compare.js';
import { openDatabases } from '../databases.js';
import { FIRST_STAMP, type FilledDatabase, type FilledKey, fillDatabase } from '../pages/filled-database.js';

const PAGE = 50;
const CALLS = 400;
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
 * The time of a page of 50 anywhere in a list, on a small and a large database, for a key with one company and
 * one with many, with each filter: the medians should not tell which is which.
 */
export async function benchPages({ rounds }: RunSize, only: string): Promise<void> {
  if (!'pages'.includes(only) && only !== '') return;
  const sizes = rounds === 1 ? SIZES.quick : SIZES.full;
  const postgres = await openDatabases();
  const databases = new Map<number, FilledDatabase>();
  for (const rows of sizes) databases.set(rows, await fillDatabase(await postgres.create(), rows));

  console.log(`\nA page of ${PAGE} on PostgreSQL ${postgres.version}, median of ${CALLS} calls, in µs\n`);
  console.log(`| List | key | filter | ${sizes.map((rows) => `${rows} rows`).join(' | ')} |`);
  console.log('|---|---|---|---|---|');
  for (const [list, { page, filters }] of Object.entries(LISTS)) {
    const all: number[] = [];
    for (const keyName of ['oneCompany', 'manyCompanies'] as const) {
      for (const [filterName, filter] of Object.entries(filters)) {
        const times = await timePages([...databases.values()], async (database) => {
          const key = database.keys[keyName];
          await page(database, randomQuery(key, filter(key)));
        });
        all.push(...times);
        console.log(
          `| ${[list, keyName, filterName, ...times.map((time) => time.toFixed(0))].join(' | ')} |`,
        );
      }
    }
    const ratio = Math.max(...all) / Math.min(...all);
    console.log(
      `| ${list} | all | all | ratio of the slowest to the fastest median | ${ratio.toFixed(2)} (goal: at most 1.5) |`,
    );
  }
  for (const database of databases.values()) await database.close();
  await postgres.close();
}

/** The median for each database, the databases taking turns. */
async function timePages(
  databases: readonly FilledDatabase[],
  read: (database: FilledDatabase) => Promise<void>,
): Promise<readonly number[]> {
  const times = databases.map((): number[] => []);
  for (let call = 0; call < CALLS; call += 1) {
    for (const [index, database] of databases.entries()) {
      const startedAt = performance.now();
      await read(database);
      times[index]?.push((performance.now() - startedAt) * 1_000);
    }
  }
  return times.map(median);
}

/** A page that begins somewhere in the first nine tenths of a list. */
function randomQuery({ keyId, rows }: FilledKey, filter: Partial<ListQuery>): ListQuery {
  const after = FIRST_STAMP + Math.floor(Math.random() * rows * 0.9);
  return { keyId, after, updatedSince: null, companyId: null, status: null, limit: PAGE, ...filter };
}
