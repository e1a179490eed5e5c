import type { KeyId, ListQuery, PresumedSubmission, Repositories, Storage } from '@partner-hiring/core/ports';
import { createKyselyStorage, type Driver, type Execute } from '@partner-hiring/storage-kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestSchema } from '../../../test/support/postgres-database.js';
import {
  sampleApplication,
  sampleCompany,
  sampleJob,
  sampleKey,
  sampleSecret,
  sampleSubmission,
  T0,
} from '../../conformance/src/storage/samples.js';
import { createPostgresDialect } from './dialect.js';
import { migratePostgres } from './migrate-postgres.js';

/** What `explain` tells of a step. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Filter?: string;
  readonly Plans?: readonly PlanNode[];
}

const KEY: KeyId = 'key_1';
const QUERY: ListQuery = {
  keyId: KEY,
  after: 5,
  updatedSince: null,
  companyId: null,
  status: null,
  limit: 50,
};
const COMPANY = { companyId: 'co_1' };

/** A submission in one step; of what was explained rather than run there is no count. */
async function addPresumed(storage: Storage<never>): Promise<void> {
  const application = sampleApplication(1, T0, { sourceApplicationId: 'theirs' });
  const presumed: PresumedSubmission = {
    caller: { key: sampleKey(), secret: sampleSecret('h') },
    found: { job: sampleJob(), company: sampleCompany(), access: null },
    guard: { id: 'guard', limit: 9, scope: { kind: 'partner' } },
    bucket: { id: 'bucket', limit: 9, scope: { kind: 'partner' } },
    submission: sampleSubmission(
      application,
      {},
      {
        ...{ applicationId: application.id, url: 'https://cv.example/1' },
        ...{ attempts: 0, dueAt: T0 },
      },
    ),
  };
  await expect(storage.addPresumed?.(presumed)).rejects.toThrow('must tell what it counted');
}

/** Enough for the planner to prefer an index wherever one serves, few enough to be made in a second or two. */
const ROWS = 30_000;

/** One large key among small ones, as a platform has them. */
const FILL = `
  set local session_replication_role = replica;
  insert into ph_partner select 'ptn_' || n, 'P', n from generate_series(1, 200) n;
  insert into ph_partner_key select 'key_' || n, 'ptn_' || n, 'production', n from generate_series(1, 200) n;
  insert into ph_key_secret select md5(n::text), 'key_' || n % 200, 'p', 'l', n from generate_series(1, 2000) n;
  insert into ph_feed_head select 'key_' || n, 1 from generate_series(1, 200) n;
  insert into ph_endpoint select 'key_' || n, 'u', 'active', null, null, 0, null, null, '[]', 1, n, null, 0, n
    from generate_series(1, 200) n;
  insert into ph_company select 'co_' || n, 'C', 'production', n from generate_series(1, 500) n;
  insert into ph_access select 'key_' || n % 200, 'co_' || n / 200, 1 from generate_series(1, 5000) n;
  insert into ph_job select 'job_' || n, 'co_' || n % 500, 't', 'c', 'r', 'US', 'hourly', null, null, 'USD', null, null,
    0, null, 'open', 0, n from generate_series(1, ${ROWS}) n;
  insert into ph_key_job select 'key_' || n % 3, 'job_' || n, 'co_' || n % 500, n % 2, n from generate_series(1, ${ROWS}) n;
  insert into ph_application select 'ej_app_' || n, 'key_' || n % 3, 'job_' || n % 5000, 'co_' || n % 500, 's' || n,
    (array['received', 'in_progress', 'accepted', 'rejected'])[n % 4 + 1], 's', n, n, n, 'f', 'l', 'e', 'p', null, '{}',
    null, '{}' from generate_series(1, ${ROWS}) n;
  insert into ph_idempotency select 'key_' || n % 3, 'k' || n, 'f', 'f', 'a', 'c', 201, '{}', n, n
    from generate_series(1, ${ROWS}) n;
  insert into ph_rate_window select 'b' || n, n, 1 from generate_series(1, 5000) n;
  insert into ph_event select 'key_' || n % 200, n, 'evt_' || n, 'job.opened', '{}' from generate_series(1, ${ROWS}) n;
  insert into ph_delivery select 'key_' || n % 200, 'evt_' || n, n,
    (array['pending', 'delivered', 'dead', 'cancelled'])[n % 4 + 1], 1, 1, case when n % 4 = 0 then n end, n, null, null
    from generate_series(1, ${ROWS}) n;
  insert into ph_attempt select key_id, event_id, 1, 1, event_at, 1, '{}' from ph_delivery;
  insert into ph_resume_task select 'ej_app_' || n, 'u', 1, n from generate_series(1, 5000) n;
  insert into ph_alert select 'al_' || n, 'endpoint_paused', 'k', 'r', null, null, n from generate_series(1, 5000) n;
`;

/** Reads the plans of what repositories run, in a schema of its own. */
function planReader() {
  const { connectionString, schema, drop } = createTestSchema();
  const client = new Client({ connectionString });
  let plans: PlanNode[] = [];
  let planMode = 'auto';
  let executions = 0;
  let keptPlans = 0;
  // What the driver sends, as the server would run it once it has prepared it.
  const explain: Execute = async (sql, [parameters = []]) => {
    await client.query(`prepare explained as ${sql}`);
    const values = parameters.map((value) => client.escapeLiteral(String(value))).join(', ');
    const execution = `execute explained${values === '' ? '' : `(${values})`}`;
    for (let left = executions; left > 0; left -= 1) await client.query(execution);
    const { rows: kept } = await client.query('select generic_plans from pg_prepared_statements');
    keptPlans = Number(kept[0].generic_plans);
    const { rows } = await client.query(`explain (format json, costs off) ${execution}`);
    await client.query('deallocate explained');
    plans.push(rows[0]['QUERY PLAN'][0].Plan);
    return { rows: [], changed: 0 };
  };
  const driver: Driver<never> = {
    read: (work) => work(explain),
    write: (work) => work(explain),
    writeAlone: (work) => work(explain),
    writeRelaxed: (work) => work(explain),
    adopt: () => explain,
    now: () => 0,
    close: async () => {},
  };
  const storage = createKyselyStorage(createPostgresDialect(schema, false, null, 1), driver);
  const flatten = (node: PlanNode): readonly PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)];

  return {
    client,
    async open(mode: string, fill: string): Promise<void> {
      await migratePostgres({ connectionString, schema });
      await client.connect();
      await client.query(`set search_path = ${schema}; ${fill}`);
      await client.query(`set plan_cache_mode = ${mode}`);
      planMode = mode;
    },
    async close(): Promise<void> {
      await client.end();
      await drop();
    },
    /** Whether the server, left alone, keeps one plan for all values, rather than make one for each call. */
    async isPlannedOnce(run: (repositories: Repositories) => Promise<unknown>): Promise<boolean> {
      await client.query(`reset all; set search_path = ${schema}`);
      executions = 7;
      await run(storage.direct);
      executions = 0;
      await client.query(`set plan_cache_mode = ${planMode}`);
      return keptPlans > 0;
    },
    async nodesOf(
      run: (repositories: Repositories, storage: Storage<never>) => Promise<unknown>,
    ): Promise<readonly PlanNode[]> {
      plans = [];
      await run(storage.direct, storage);
      expect(plans).toHaveLength(1);
      return plans.flatMap(flatten);
    },
  };
}

const PAGES: readonly (readonly [string, (repositories: Repositories) => Promise<unknown>])[] = [
  ['jobs', (r) => r.keyJobs.page(QUERY)],
  ['jobs of a company', (r) => r.keyJobs.page({ ...QUERY, ...COMPANY })],
  ['applications', (r) => r.applications.page(QUERY)],
  ['applications to a company', (r) => r.applications.page({ ...QUERY, ...COMPANY })],
  ['applications in a status', (r) => r.applications.page({ ...QUERY, status: 'received' })],
  [
    'applications to a company in a status',
    (r) => r.applications.page({ ...QUERY, ...COMPANY, status: 'received' }),
  ],
];

const PLAN_MODES = ['force_custom_plan', 'force_generic_plan'];

describe.each(PLAN_MODES)('query plans with %s', (mode) => {
  const { client, open, close, nodesOf, isPlannedOnce } = planReader();

  beforeAll(() => open(mode, `begin; ${FILL} commit; analyze`));
  afterAll(close);

  it.each<[string, (repositories: Repositories) => Promise<unknown>, string, readonly string[]]>([
    ['jobs', (r) => r.keyJobs.page(QUERY), 'ph_key_job_feed', ['key_id', 'changed_at']],
    [
      'jobs of a company',
      (r) => r.keyJobs.page({ ...QUERY, ...COMPANY }),
      'ph_key_job_company_feed',
      ['key_id', 'company_id', 'visible', 'changed_at'],
    ],
    ['applications', (r) => r.applications.page(QUERY), 'ph_application_feed', ['key_id', 'changed_at']],
    [
      'applications to a company',
      (r) => r.applications.page({ ...QUERY, ...COMPANY }),
      'ph_application_company_feed',
      ['key_id', 'company_id', 'changed_at'],
    ],
    [
      'applications in a status',
      (r) => r.applications.page({ ...QUERY, status: 'received' }),
      'ph_application_status_feed',
      ['key_id', 'status', 'changed_at'],
    ],
    [
      'applications to a company in a status',
      (r) => r.applications.page({ ...QUERY, ...COMPANY, status: 'received' }),
      'ph_application_company_status_feed',
      ['key_id', 'company_id', 'status', 'changed_at'],
    ],
    [
      'newest applications',
      (r) => r.applications.listRecent({ jobId: null, companyId: null, limit: 9 }),
      'ph_application_newest',
      [],
    ],
    [
      'newest applications to a job',
      (r) => r.applications.listRecent({ jobId: 'job_1', companyId: null, limit: 9 }),
      'ph_application_by_job',
      ['job_id'],
    ],
    [
      'newest applications to a company',
      (r) => r.applications.listRecent({ jobId: null, companyId: 'co_1', limit: 9 }),
      'ph_application_by_company',
      ['company_id'],
    ],
    [
      'the next events of a log',
      (r) => r.events.readLogs([{ keyId: KEY, after: 5, limit: 9 }]),
      'ph_event_pkey',
      ['key_id', 'at'],
    ],
    [
      'dead letters',
      (r) => r.deliveries.list({ keyId: null, state: 'dead', limit: 9 }),
      'ph_delivery_by_state',
      ['state', 'event_at'],
    ],
    [
      'dead letters of a key',
      (r) => r.deliveries.list({ keyId: KEY, state: 'dead', limit: 9 }),
      'ph_delivery_by_key_state',
      ['key_id', 'state', 'event_at'],
    ],
    [
      'the newest attempts of a key',
      (r) => r.deliveries.listAttempts({ keyId: KEY, limit: 9 }),
      'ph_attempt_newest',
      ['key_id', 'ended_at'],
    ],
  ])('%s: one range of one index, in order, up to the limit', async (_, run, index, columns) => {
    await client.query(IN_ORDER);
    const nodes = await nodesOf(run);
    // A page has two limits: the longest that any has, and its own.
    const limited = nodes.findLast((node) => node['Node Type'] === 'Limit')?.Plans?.[0];
    expect(limited?.['Node Type']).toMatch(/^Index (Only )?Scan$/);
    expect(limited?.['Index Name']).toBe(index);
    for (const column of columns) expect(limited?.['Index Cond']).toContain(column);
    // Nothing is read to be thrown away.
    expect(limited?.Filter).toBeUndefined();
    expect(scannedIn(nodes)).toEqual([]);
  });

  it.each<[string, (repositories: Repositories) => Promise<unknown>]>([
    ['due deliveries', (r) => r.deliveries.listDue([{ keyId: KEY, limit: 9 }], 5)],
    ['secrets by hash', (r) => r.keys.findByHashes(['h'])],
    ['jobs by id', (r) => r.jobs.find(['job_1'])],
    ['jobs for keys', (r) => r.jobs.findForKeys([{ keyId: KEY, jobId: 'job_1' }])],
    ['own applications', (r) => r.applications.findOwned([{ keyId: KEY, id: 'ej_app_1' }])],
    ['applications, locked', (r) => r.applications.find(['ej_app_1'])],
    [
      'applications by the partner’s id',
      (r) => r.applications.findBySourceIds([{ keyId: KEY, sourceApplicationId: 's' }]),
    ],
    ['idempotency records', (r) => r.submissions.findRecords([{ keyId: KEY, idempotencyKey: 'k' }])],
    ['rate windows', (r) => r.rateWindows.charge([{ bucketId: 'b', cost: 1 }]).catch(() => null)],
    ['what keys saw of jobs', (r) => r.keyJobs.listOfJobs(['job_1'])],
    ['deliveries by event', (r) => r.deliveries.find(KEY, ['evt_1'])],
    ['the attempts of a delivery', (r) => r.deliveries.findAttempts(KEY, 'evt_1')],
    ['expired records', (r) => r.submissions.sweep(5, 9)],
    ['windows that are over', (r) => r.rateWindows.sweep(90_000, 9)],
    ['delivered rows', (r) => r.deliveries.sweep(5, 9)],
  ])('%s: no table is scanned where an index serves', async (_, run) => {
    await client.query(ANY_INDEX);
    expect(scannedIn(await nodesOf(run))).toEqual([]);
  });

  it.each<[string, (repositories: Repositories) => Promise<unknown>]>([
    ['own applications', (r) => r.applications.findOwned([{ keyId: KEY, id: 'ej_app_1' }])],
    ['jobs by id', (r) => r.jobs.find(['job_1'])],
    ['idempotency records', (r) => r.submissions.findRecords([{ keyId: KEY, idempotencyKey: 'k' }])],
    [
      'applications by the partner’s id',
      (r) => r.applications.findBySourceIds([{ keyId: KEY, sourceApplicationId: 's' }]),
    ],
    ['applications, locked', (r) => r.applications.find(['ej_app_1'])],
  ])('%s: found by an index, without being told to', async (_, run) => {
    await client.query('reset enable_seqscan; reset enable_sort; reset enable_bitmapscan');
    expect(scannedIn(await nodesOf(run))).toEqual([]);
  });

  it.each(PAGES)(
    '%s: the plan of a page reads no table as a whole, without being told to',
    async (_, run) => {
      await client.query('reset enable_seqscan; reset enable_sort; reset enable_bitmapscan');
      // The heads, one for each key, are a page or two here.
      expect(scannedIn(await nodesOf(run)).filter((table) => table !== 'ph_feed_head')).toEqual([]);
    },
  );

  it.each(PAGES)('%s: a page is planned once, not for each call', async (_, run) => {
    expect(await isPlannedOnce(run)).toBe(true);
  });

  it('a submission in one step: no table is scanned where an index serves', async () => {
    await client.query(ANY_INDEX);
    expect(scannedIn(await nodesOf((_, storage) => addPresumed(storage)))).toEqual([]);
  });

  it('the newest events of a log are one range of it, in its order', async () => {
    await client.query(IN_ORDER);
    const nodes = await nodesOf((r) => r.events.listNewest({ keyId: KEY, from: 1, before: 9, limit: 9 }));
    const log = nodes.find((node) => node['Relation Name'] === 'ph_event');
    expect(log).toMatchObject({ 'Node Type': 'Index Scan', 'Index Name': 'ph_event_pkey' });
    for (const column of ['key_id', 'at >=', 'at <']) expect(log?.['Index Cond']).toContain(column);
    expect(log?.Filter).toBeUndefined();
    expect(scannedIn(nodes)).toEqual([]);
  });

  it.each<['one endpoint' | 'all endpoints', KeyId | null]>([
    ['one endpoint', KEY],
    ['all endpoints', null],
  ])('the backlog of %s is counted by ranges of indexes, each up to its bound', async (_, keyId) => {
    await client.query(IN_ORDER);
    const nodes = await nodesOf((r) => r.endpoints.backlogs(keyId, 5, 9));
    const ranges = nodes
      .filter((node) => node['Node Type'] === 'Limit')
      .map(({ Plans: [range] = [] }) => [range?.['Node Type'], range?.['Index Name'], range?.Filter]);
    expect(ranges.sort()).toEqual([
      ['Index Only Scan', 'ph_delivery_by_key_state', undefined],
      ...Array.from({ length: 3 }, () => ['Index Only Scan', 'ph_delivery_due', undefined]),
      ...Array.from({ length: 2 }, () => ['Index Only Scan', 'ph_event_pkey', undefined]),
    ]);
    expect(scannedIn(nodes).filter((table) => table !== 'ph_endpoint')).toEqual([]);
  });

  it('leasing probes a log for one event, however long it is', async () => {
    await client.query(IN_ORDER);
    const nodes = await nodesOf((r) => r.endpoints.lease({ token: 't', until: 9 }, 5, 9));
    const probes = nodes.filter((node) => node['Relation Name'] === 'ph_event');
    expect(probes.map((node) => node['Node Type'])).toEqual(['Index Only Scan']);
    expect(nodes.map((node) => node['Index Name'])).toContain('ph_endpoint_turn');
    expect(scannedIn(nodes)).toEqual([]);
  });
});

describe.each(PLAN_MODES)('query plans with %s on tables of which the server knows nothing yet', (mode) => {
  const { open, close, nodesOf } = planReader();

  beforeAll(() => open(mode, ''));
  afterAll(close);

  it.each<[string, (repositories: Repositories) => Promise<unknown>]>([
    ['own applications', (r) => r.applications.findOwned([{ keyId: KEY, id: 'ej_app_1' }])],
    ['idempotency records', (r) => r.submissions.findRecords([{ keyId: KEY, idempotencyKey: 'k' }])],
    [
      'applications by the partner’s id',
      (r) => r.applications.findBySourceIds([{ keyId: KEY, sourceApplicationId: 's' }]),
    ],
    ['jobs for keys', (r) => r.jobs.findForKeys([{ keyId: KEY, jobId: 'job_1' }])],
    ['secrets by hash', (r) => r.keys.findByHashes(['h'])],
    ['deliveries by event', (r) => r.deliveries.find(KEY, ['evt_1'])],
    ['deliveries of many keys', (r) => r.deliveries.findEach([{ keyId: KEY, eventId: 'evt_1' }])],
  ])('%s: found by an index, which stays right when they grow', async (_, run) => {
    const nodes = await nodesOf(run);
    expect(scannedIn(nodes)).toEqual([]);
    // The whole of an index's condition: what is filtered behind it grows with the table.
    expect(nodes.filter(({ Filter }) => Filter !== undefined)).toEqual([]);
  });

  it.each(PAGES)('%s: the plan of a page reads no table as a whole', async (_, run) => {
    expect(scannedIn(await nodesOf(run))).toEqual([]);
  });

  it('a submission in one step: by indexes, which stay right when they grow', async () => {
    const nodes = await nodesOf((_, storage) => addPresumed(storage));
    expect(scannedIn(nodes)).toEqual([]);
    const inTables = nodes.filter((node) => node['Relation Name'] !== undefined);
    expect(inTables.filter(({ Filter }) => Filter !== undefined)).toEqual([]);
  });
});

/** In a small test, sorting twenty rows is cheapest. With a million it is not: the index must give the order. */
const IN_ORDER = 'set enable_seqscan = off; set enable_sort = off; set enable_bitmapscan = off';

/** The same for reading a table of a few pages: is there an index that serves? */
const ANY_INDEX = 'set enable_seqscan = off; reset enable_sort; reset enable_bitmapscan';

function scannedIn(nodes: readonly PlanNode[]): readonly (string | undefined)[] {
  return nodes.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name']);
}
