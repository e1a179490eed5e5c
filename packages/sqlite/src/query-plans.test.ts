import type { EndpointSettlement, Holding, Repositories } from '@partner-hiring/core/ports';
import type { Execute } from '@partner-hiring/storage-kysely';
import { createExplainedStorage } from '@partner-hiring/test-support/postgres/explained-storage';
import { COMPANY, KEY, QUERY } from '@partner-hiring/test-support/postgres/planned-queries';
import Sqlite, { type Database } from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqliteDialect } from './dialect.js';
import { sqliteMigrations } from './migrations.js';

interface PlanRow {
  readonly detail: string;
}

const HOLDING: Holding = { keyId: KEY, token: 't' };
const SETTLEMENT: EndpointSettlement = {
  ...HOLDING,
  state: { kind: 'active' },
  health: {
    ...{ consecutiveFailures: 0, firstFailureAt: null, lastSuccessAt: null, lastFailure: null },
    ...{ failingWarnedAt: null, pauseWarnedAt: null, nextWarningAt: null },
  },
  watermark: 5,
  release: false,
};

describe('query plans', () => {
  let handle: Database;
  let direct: Repositories;
  let plans: string[] = [];
  const statements: string[] = [];

  beforeAll(() => {
    handle = new Sqlite(':memory:');
    for (const { sql } of sqliteMigrations()) handle.exec(sql);
    const explain: Execute = async (sql, parameters) => {
      statements.push(sql);
      const rows = handle.prepare<unknown[], PlanRow>(`explain query plan ${sql}`).all(...parameters);
      plans.push(rows.map(({ detail }) => detail).join('\n'));
      return { rows: [] };
    };
    direct = createExplainedStorage(sqliteDialect, explain).direct;
  });
  afterAll(() => handle.close());

  async function plansOf(run: (repositories: Repositories) => Promise<unknown>): Promise<readonly string[]> {
    plans = [];
    await run(direct);
    return plans;
  }

  async function planOf(run: (repositories: Repositories) => Promise<unknown>): Promise<string> {
    const [plan, ...more] = await plansOf(run);
    expect(more).toEqual([]);
    return plan ?? '';
  }

  it.each<[string, (repositories: Repositories) => Promise<unknown>, string]>([
    ['jobs', (r) => r.keyJobs.page(QUERY), 'COVERING INDEX ph_key_job_feed (key_id=? AND changed_at>?)'],
    [
      'jobs of a company',
      (r) => r.keyJobs.page({ ...QUERY, ...COMPANY }),
      'ph_key_job_company_feed (key_id=? AND company_id=? AND visible=? AND changed_at>?)',
    ],
    [
      'applications in a status',
      (r) => r.applications.page({ ...QUERY, status: 'received' }),
      'ph_application_key_feed (status=? AND key_id=? AND changed_at>?)',
    ],
    [
      'applications to a company in a status',
      (r) => r.applications.page({ ...QUERY, ...COMPANY, status: 'received' }),
      'ph_application_key_company_feed (status=? AND key_id=? AND company_id=? AND changed_at>?)',
    ],
    [
      'the next events of a log',
      (r) => r.events.readLogs([{ keyId: KEY, after: 5, limit: 9 }]),
      'PRIMARY KEY (key_id=? AND at>?)',
    ],
    [
      'due deliveries',
      (r) => r.deliveries.listDue([{ keyId: KEY, limit: 9 }], 5),
      'ph_delivery_due (key_id=? AND due_at<?)',
    ],
    [
      'dead letters',
      (r) => r.deliveries.list({ keyId: null, state: 'dead', limit: 9 }),
      'ph_delivery_by_state (state=? AND (event_at,event_id)<(?,?))',
    ],
    [
      'dead letters of a key',
      (r) => r.deliveries.list({ keyId: KEY, state: 'dead', limit: 9 }),
      'ph_delivery_by_key_state (key_id=? AND state=? AND (event_at,event_id)<(?,?))',
    ],
    [
      'the newest events of a log',
      (r) => r.events.listNewest({ keyId: KEY, from: 1, before: 9, limit: 9 }),
      'PRIMARY KEY (key_id=? AND at>? AND at<?)',
    ],
    [
      'the newest attempts of a key',
      (r) => r.deliveries.listAttempts({ keyId: KEY, limit: 9 }),
      'ph_attempt_newest (key_id=? AND ended_at>? AND (ended_at,event_id,number)<(?,?,?))',
    ],
    [
      'waiting deliveries of a key',
      (r) => r.deliveries.listWaiting({ keyId: KEY, after: { dueAt: 5, eventAt: 5 }, limit: 9 }),
      'ph_delivery_due (key_id=? AND (due_at,event_at)>(?,?))',
    ],
    [
      'operations',
      (r) => r.operations.list({ state: null, limit: 9 }),
      'ph_operation_newest ((created_at,id)<(?,?))',
    ],
    ['the next step of an operation', (r) => r.operations.takeDue(5), 'ph_operation_due (due_at<?)'],
  ])('%s: one range of one index, in order', async (_, run, index) => {
    const plan = await planOf(run);
    expect(plan).toContain(index);
    expect(plan).not.toContain('TEMP B-TREE');
  });

  it.each<[string, (repositories: Repositories) => Promise<unknown>, string]>([
    [
      'applications',
      (r) => r.applications.page(QUERY),
      'ph_application_key_feed (status=? AND key_id=? AND changed_at>?)',
    ],
    [
      'applications to a company',
      (r) => r.applications.page({ ...QUERY, ...COMPANY }),
      'ph_application_key_company_feed (status=? AND key_id=? AND company_id=? AND changed_at>?)',
    ],
  ])('%s: merges one range for each status, in order', async (_, run, index) => {
    const plan = await planOf(run);
    expect(plan.split(index)).toHaveLength(5);
    expect(plan).toContain('MERGE (UNION ALL)');
    expect(plan).not.toContain('TEMP B-TREE');
  });

  it.each<[string, (repositories: Repositories) => Promise<unknown>]>([
    ['secrets by hash', (r) => r.keys.findByHashes(['h'])],
    ['the use of secrets', (r) => r.keys.touchSecrets(['h'], 5)],
    ['jobs by id', (r) => r.jobs.find(['job_1'])],
    ['jobs for keys', (r) => r.jobs.findForKeys([{ keyId: KEY, jobId: 'job_1' }])],
    ['own applications', (r) => r.applications.findOwned([{ keyId: KEY, id: 'ej_app_1' }])],
    [
      'applications by the partner’s id',
      (r) => r.applications.findBySourceIds([{ keyId: KEY, sourceApplicationId: 's' }]),
    ],
    ['idempotency records', (r) => r.submissions.findRecords([{ keyId: KEY, idempotencyKey: 'k' }])],
    ['rate windows', (r) => r.rateWindows.charge([{ bucketId: 'b', cost: 1 }]).catch(() => null)],
    ['feed heads', (r) => r.feed.take([{ keyId: KEY, count: 1 }], 5).catch(() => null)],
    ['what keys saw of jobs', (r) => r.keyJobs.listOfJobs(['job_1'])],
    ['deliveries by event', (r) => r.deliveries.find(KEY, ['evt_1'])],
    ['deliveries of many keys', (r) => r.deliveries.findEach([{ keyId: KEY, eventId: 'evt_1' }])],
    ['the types of events', (r) => r.events.findTypes([{ keyId: KEY, eventId: 'evt_1' }])],
    ['endpoints of many keys', (r) => r.endpoints.findEach([KEY])],
    ['leased endpoints', (r) => r.endpoints.findLeased([HOLDING])],
    ['renewed leases', (r) => r.endpoints.renew([{ ...HOLDING, forMs: 9 }])],
    ['settled endpoints', (r) => r.endpoints.settle([SETTLEMENT])],
    ['leases given back', (r) => r.endpoints.release([HOLDING])],
    ['the attempts of a delivery', (r) => r.deliveries.findAttempts(KEY, 'evt_1')],
    ['whether an operation is due', (r) => r.operations.isDue(5)],
    ['deliveries to bring forward', (r) => r.deliveries.bringForward(KEY, ['evt_1'], 5)],
    ['the input of a step', (r) => r.operations.takeInput('op_1', 0)],
    ['operations that ended', (r) => r.operations.sweep(5, 9)],
    ['expired records', (r) => r.submissions.sweep(5, 9)],
    ['windows that are over', (r) => r.rateWindows.sweep(90_000, 9)],
    ['delivered rows', (r) => r.deliveries.sweep(5, 9)],
    ['old hourly counts', (r) => r.hourCounts.sweep(5, 9)],
    ['workers that were not seen', (r) => r.workers.sweep(5, 9)],
  ])('%s: no table is scanned', async (_, run) => {
    const all = await plansOf(run);
    expect(all.length).toBeGreaterThan(0);
    for (const plan of all) expect(plan).not.toMatch(/SCAN (?!CONSTANT ROW|item)/);
  });

  it('the key of an event is found by the index of each log', async () => {
    const [plan = ''] = await plansOf((r) => r.events.findKey('evt_1'));
    expect(plan).toMatch(
      /SEARCH event USING COVERING INDEX sqlite_autoindex_ph_event_\d \(key_id=\? AND id=\?\)/,
    );
  });

  it('leasing reads one event of a log, regardless of its length', async () => {
    const plan = await planOf((r) => r.endpoints.lease({ token: 't', forMs: 9 }, 5, 9));
    expect(plan).toContain('SCAN endpoint USING INDEX ph_endpoint_turn');
    expect(plan).toContain('SEARCH head USING PRIMARY KEY (key_id=?)');
    expect(plan).toContain('SEARCH event USING PRIMARY KEY (key_id=?)');
    expect(plan).toContain('SEARCH delivery USING COVERING INDEX ph_delivery_due (key_id=?)');
    expect(plan).not.toContain('TEMP B-TREE');
  });

  it('counting a backlog reads index ranges', async () => {
    const plan = await planOf((r) => r.endpoints.backlogs(KEY, 5, 9));
    expect(plan.match(/SEARCH event USING PRIMARY KEY \(key_id=\? AND at>\?\)/g)).toHaveLength(2);
    expect(plan.match(/ph_delivery_due \(key_id=\? AND due_at[<>]\?\)/g)).toHaveLength(2);
    expect(plan).toContain('COVERING INDEX ph_delivery_by_key_state (key_id=? AND state=?)');
    expect(plan).not.toMatch(/SCAN (event|delivery)|TEMP B-TREE/);
  });

  it('counting all backlogs reads only changed feeds and keys with deliveries, by index', async () => {
    const [changed, list] = await plansOf((r) => r.endpoints.backlogs(null, 5, 9));
    expect(changed).toContain('INDEX ph_feed_head_unchecked');
    expect(
      changed?.match(/SEARCH delivery USING (PRIMARY KEY|COVERING INDEX \w+) \(key_id>\?\)/g),
    ).toHaveLength(2);
    expect(list).not.toMatch(/SCAN (event|delivery)/);
  });

  it('the walk over keys with pending résumés reads one task of each', async () => {
    const plan = await planOf((r) => r.resumeFiles.claimOfOthers({ token: 't', forMs: 9 }, 5, 9, [KEY]));
    expect(plan.match(/SEARCH task USING COVERING INDEX ph_resume_task_by_key \(key_id>\?\)/g)).toHaveLength(
      2,
    );
    expect(plan).not.toMatch(/SCAN (task|ph_resume_task)/);
  });

  it('sweeping events reads the oldest of each log', async () => {
    const plan = await planOf((r) => r.events.sweep(5, 9));
    expect(plan).toContain('SEARCH event USING PRIMARY KEY (key_id=?)');
    expect(plan).not.toContain('SCAN event');
  });

  it('no limit is bound directly, which would make SQLite plan the statement again', () => {
    const limits = statements.flatMap((sql) => sql.match(/ limit (?!1\b).*?(?=$|\)| as )/g) ?? []);
    expect(new Set(limits)).toEqual(new Set([' limit ? + 0']));
  });
});
