/** The feed while hosts hold transactions open, with stamps that become visible late. */

import { type Row, syncOnce } from '@partner-hiring/test-support/client/sync-copy';
import { submission, WAREHOUSE_JOB } from '@partner-hiring/test-support/partner';
import { Client } from 'pg';
import { afterAll, expect, it } from 'vitest';
import { openPlatform, type Tenant } from './stage/platform.js';
import { inWords, median, quantile, report, sized } from './stage/size.js';

const WRITE_MS = sized(30_000, 4_000);
const KEYS = sized(8, 4);
const WRITERS = 16;
const APPLICATIONS = 12;
/** The longest time between a host's command and its commit. */
const LONGEST_HOLD_MS = 500;
const POLL_EVERY_MS = 5;
const STAGES = ['video_interview', 'under_review', 'final_review'] as const;

interface Busy {
  readonly tenant: Tenant;
  readonly jobIds: readonly `job_${string}`[];
  readonly applicationIds: readonly `ej_app_${string}`[];
  /** Opens and closes all the time. */
  readonly restlessId: `job_${string}`;
}

const platform = await openPlatform(undefined, undefined, { selfService: { events: true } });
const keys = await Promise.all((await platform.tenants(KEYS)).map(furnish));
afterAll(() => platform.close());

async function furnish(tenant: Tenant): Promise<Busy> {
  const { companyId, jobId } = tenant;
  const jobs = [WAREHOUSE_JOB, WAREHOUSE_JOB, WAREHOUSE_JOB].map((job) => ({ ...job, companyId }));
  const more = await platform.fixture.operator.jobs.publish(jobs);
  const restless = await platform.fixture.operator.jobs.publish({ ...WAREHOUSE_JOB, companyId });
  const replies = await Promise.all(
    Array.from({ length: APPLICATIONS }, () => tenant.submit(submission(jobId))),
  );
  return {
    tenant,
    jobIds: [jobId, ...more.map(({ id }) => id)],
    restlessId: restless.id,
    applicationIds: replies.map(({ json }) => json.id as `ej_app_${string}`),
  };
}

const any = <Item>(items: readonly Item[]) => items[Math.floor(Math.random() * items.length)] as Item;
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Commit times by job title. Titles are unique, so they identify versions. */
const committedAt = new Map<string, number>();
const seenAt = new Map<string, number>();

/** Runs transactions that stay open after a command. */
async function write(isOver: () => boolean): Promise<number> {
  const host = new Client({ connectionString: platform.database.connectionString });
  await host.connect();
  let transactions = 0;
  try {
    while (!isOver()) {
      await host.query('begin');
      const title = await change(host, transactions);
      await pause(Math.random() * LONGEST_HOLD_MS);
      await host.query('commit');
      if (title !== null) committedAt.set(title, performance.now());
      transactions += 1;
    }
  } finally {
    await host.end();
  }
  return transactions;
}

let titles = 0;

/** Changes a row in the host's transaction; returns a job's new title, or null. */
async function change(host: Client, turn: number): Promise<string | null> {
  const { jobs, applications } = platform.fixture.operator.within(host);
  const { jobIds, applicationIds, restlessId: id } = any(keys);
  if (turn % 3 === 0) {
    await (Math.random() < 0.5 ? jobs.close({ id }) : jobs.reopen({ id }));
    return null;
  }
  if (turn % 3 === 1) {
    await applications.move({ id: any(applicationIds), stage: any(STAGES) });
    return null;
  }
  titles += 1;
  const title = `Title ${titles}`;
  await jobs.update({ id: any(jobIds), changes: { title } });
  return title;
}

/** Follows a list, and once more after all writes. */
async function follow({ tenant }: Busy, path: string, isOver: () => boolean): Promise<Map<unknown, Row>> {
  const copy = new Map<unknown, Row>();
  const keep = (row: Row) => {
    copy.set(row.id, row);
    if (typeof row.title === 'string' && !seenAt.has(row.title)) seenAt.set(row.title, performance.now());
  };
  let since: string | null = null;
  for (let isLast = false; !isLast; ) {
    isLast = isOver();
    since = await syncOnce(tenant, path, () => 1 + Math.floor(Math.random() * 5), since, keep);
    await pause(POLL_EVERY_MS);
  }
  return copy;
}

async function truth({ tenant }: Busy, path: string): Promise<readonly Row[]> {
  const rows: Row[] = [];
  await syncOnce(
    tenant,
    path,
    () => 200,
    null,
    (row) => rows.push(row),
  );
  return rows;
}

it(`shows readers every row of ${WRITERS} writers that commit up to ${LONGEST_HOLD_MS} ms late`, async () => {
  const until = performance.now() + WRITE_MS;
  let isWriting = true;
  const writers = Promise.all(Array.from({ length: WRITERS }, () => write(() => performance.now() > until)));
  const lists = keys.flatMap((key) => ['/jobs', '/applications', '/events'].map((path) => ({ key, path })));
  const readers = lists.map(({ key, path }) => follow(key, path, () => !isWriting));
  const transactions = (
    await writers.finally(() => {
      isWriting = false;
    })
  ).reduce((sum, count) => sum + count, 0);
  const copies = await Promise.all(readers);

  const restless = new Set<unknown>(keys.map(({ restlessId }) => restlessId));
  let events = 0;
  let rows = 0;
  let missed = 0;
  let stale = 0;
  for (const [index, { key, path }] of lists.entries()) {
    for (const row of await truth(key, path)) {
      const kept = copies[index]?.get(row.id);
      if (path === '/events') events += 1;
      else if (!restless.has(row.id)) rows += 1;
      if (kept === undefined) missed += 1;
      else if (JSON.stringify(kept) !== JSON.stringify(row)) stale += 1;
    }
  }
  expect({ missed, stale }).toEqual({ missed: 0, stale: 0 });
  expect(rows).toBe(KEYS * (4 + APPLICATIONS));
  expect(events).toBeGreaterThan(KEYS * 5);
  expect(transactions).toBeGreaterThan(WRITERS);

  const lags = [...committedAt].flatMap(([title, at]) => {
    const seen = seenAt.get(title);
    // A reader may see a commit before its writer does.
    return seen === undefined ? [] : [Math.max(0, seen - at)];
  });
  expect(lags.length).toBeGreaterThan(0);
  report(
    'The feed under slow writers',
    `${WRITERS} writers on ${KEYS} keys for ${inWords(WRITE_MS)}: ${transactions} transactions, ${rows} rows, ` +
      `${missed} missed, ${stale} stale; seen ${inWords(median(lags))} after the commit (99 %: ${inWords(quantile(lags, 0.99))})`,
  );
}, 120_000);
