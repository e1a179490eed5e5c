import {
  createPlanReader,
  PLAN_MODES,
  type PlanNode,
  scannedIn,
} from '@partner-hiring/test-support/postgres/plan-reader';
import {
  KEY,
  MERGED_PAGES,
  ONE_RANGE_PAGES,
  PAGES,
  type PlannedQuery,
  type PlannedRange,
} from '@partner-hiring/test-support/postgres/planned-queries';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** Enough for the planner to prefer indexes. */
const ROWS = 30_000;

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
  insert into ph_rate_window select n % 5, 'b' || n, 1 from generate_series(1, 5000) n;
  insert into ph_event select 'key_' || n % 200, n, 'evt_' || n, 'job.opened', '{}' from generate_series(1, ${ROWS}) n;
  insert into ph_delivery select 'key_' || n % 200, 'evt_' || n, n,
    (array['pending', 'delivered', 'dead', 'cancelled'])[n % 4 + 1], 1, 1, case when n % 4 = 0 then n end, n, null, null
    from generate_series(1, ${ROWS}) n;
  insert into ph_attempt select key_id, event_id, 1, 1, event_at, 1, '{}' from ph_delivery;
  insert into ph_resume_task select 'ej_app_' || n, 'key_' || n % 3, 'u', 1, n from generate_series(1, 5000) n;
  insert into ph_operation select 'op_' || n, '{}', (array['running', 'done'])[n % 2 + 1], null, 0, 0, null, 0, null, n, n, n,
    case when n % 2 = 1 then n end from generate_series(1, 5000) n;
  insert into ph_operation_input select 'op_' || n, 0, '[]' from generate_series(1, 5000) n;
  insert into ph_worker select 'wkr_' || n, 'h', n, '1', n, n, null from generate_series(1, 5000) n;
  insert into ph_hour_count select 'attempt', 'key_' || n % 200, n, 'failed', 1 from generate_series(1, 5000) n;
  insert into ph_alert select 'al_' || n, 'endpoint_paused', 'k', 'r', null, null, n from generate_series(1, 5000) n;
`;

/** Sorting is cheapest in a small test. With a million rows, the index must provide the order. */
const IN_ORDER = 'set enable_seqscan = off; set enable_sort = off; set enable_bitmapscan = off';

/** Likewise for scanning a small table. */
const ANY_INDEX = 'set enable_seqscan = off; reset enable_sort; reset enable_bitmapscan';

const AS_IT_LIKES = 'reset enable_seqscan; reset enable_sort; reset enable_bitmapscan';

const { client, open, use, close, nodesOf, isPlannedOnce } = createPlanReader();

beforeAll(() => open(`begin; ${FILL} commit; analyze`));
afterAll(close);

function expectRange(node: PlanNode | undefined, index: string, columns: readonly string[]): void {
  expect(node?.['Node Type']).toMatch(/^Index (Only )?Scan$/);
  expect(node?.['Index Name']).toBe(index);
  for (const column of columns) expect(node?.['Index Cond']).toContain(column);
  expect(node?.Filter).toBeUndefined();
}

describe.each(PLAN_MODES)('query plans with %s', (mode) => {
  beforeAll(() => use(mode));

  it.each<PlannedRange>([
    ...ONE_RANGE_PAGES,
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
    [
      'waiting deliveries of a key',
      (r) => r.deliveries.listWaiting({ keyId: KEY, after: { dueAt: 5, eventAt: 5 }, limit: 9 }),
      'ph_delivery_due',
      ['key_id', 'due_at', 'event_at'],
    ],
    [
      'operations',
      (r) => r.operations.list({ state: null, limit: 9 }),
      'ph_operation_newest',
      ['created_at', 'id'],
    ],
  ])('%s: one range of one index, in order, up to the limit', async (_, run, index, columns) => {
    await client.query(IN_ORDER);
    const nodes = await nodesOf(run);
    // A page has three limits: the longest of all pages twice, and its own.
    const limited = nodes.findLast((node) => node['Node Type'] === 'Limit')?.Plans?.[0];
    expectRange(limited, index, columns);
    expect(scannedIn(nodes)).toEqual([]);
  });

  it.each(MERGED_PAGES)('%s: merges one range for each status, in order', async (_, run, index, columns) => {
    await client.query(IN_ORDER);
    const nodes = await nodesOf(run);
    const [merged, ...more] = nodes.filter((node) => node['Node Type'] === 'Merge Append');
    expect(more).toEqual([]);
    expect(merged?.Plans).toHaveLength(4);
    for (const limited of merged?.Plans ?? []) {
      expect(limited['Node Type']).toBe('Limit');
      expectRange(limited.Plans?.[0], index, columns);
    }
    expect(scannedIn(nodes)).toEqual([]);
  });

  it.each<PlannedQuery>([
    ['due deliveries', (r) => r.deliveries.listDue([{ keyId: KEY, limit: 9 }], 5)],
    ['very many due deliveries', (r) => r.deliveries.listDue([{ keyId: KEY, limit: 5_000 }], 5)],
    ['secrets by hash', (r) => r.keys.findByHashes(['h'])],
    ['jobs by id', (r) => r.jobs.find(['job_1'])],
    ['jobs for keys', (r) => r.jobs.findForKeys([{ keyId: KEY, jobId: 'job_1' }])],
    ['own applications', (r) => r.applications.findOwned([{ keyId: KEY, id: 'ej_app_1' }])],
    ['applications', (r) => r.applications.find(['ej_app_1'])],
    ['applications, locked', (r) => r.applications.findForUpdate(['ej_app_1'])],
    [
      'applications by the partner’s id',
      (r) => r.applications.findBySourceIds([{ keyId: KEY, sourceApplicationId: 's' }]),
    ],
    ['idempotency records', (r) => r.submissions.findRecords([{ keyId: KEY, idempotencyKey: 'k' }])],
    ['rate windows', (r) => r.rateWindows.charge([{ bucketId: 'b', cost: 1 }]).catch(() => null)],
    ['counted requests', (r) => r.rateWindows.read(['b']).catch(() => null)],
    ['what keys saw of jobs', (r) => r.keyJobs.listOfJobs(['job_1'])],
    ['deliveries by event', (r) => r.deliveries.find(KEY, ['evt_1'])],
    ['the types of events', (r) => r.events.findTypes([{ keyId: KEY, eventId: 'evt_1' }])],
    ['the attempts of a delivery', (r) => r.deliveries.findAttempts(KEY, 'evt_1')],
    [
      'keys that have résumés to fetch',
      (r) => r.resumeFiles.claimOfOthers({ token: 't', forMs: 9 }, 9, 9, [KEY]),
    ],
    ['whether an operation is due', (r) => r.operations.isDue(5)],
    ['deliveries to bring forward', (r) => r.deliveries.bringForward(KEY, ['evt_1'], 5)],
    ['the next step of an operation', (r) => r.operations.takeDue(5)],
    ['the input of a step', (r) => r.operations.takeInput('op_1', 0)],
    ['operations that ended', (r) => r.operations.sweep(5, 9)],
    [
      'unsent events of all endpoints',
      (r) => r.events.listUnsent({ from: 0, before: { at: 9, id: '' }, limit: 9 }),
    ],
    ['expired records', (r) => r.submissions.sweep(5, 9)],
    ['windows that are over', (r) => r.rateWindows.sweep(90_000, 9)],
    ['delivered rows', (r) => r.deliveries.sweep(5, 9)],
    ['old hourly counts', (r) => r.hourCounts.sweep(5, 9)],
    ['workers that were not seen', (r) => r.workers.sweep(5, 9)],
  ])('%s: no table is scanned where an index serves', async (_, run) => {
    await client.query(ANY_INDEX);
    expect(scannedIn(await nodesOf(run))).toEqual([]);
  });

  it.each<PlannedQuery>([
    ['own applications', (r) => r.applications.findOwned([{ keyId: KEY, id: 'ej_app_1' }])],
    ['jobs by id', (r) => r.jobs.find(['job_1'])],
    ['idempotency records', (r) => r.submissions.findRecords([{ keyId: KEY, idempotencyKey: 'k' }])],
    [
      'applications by the partner’s id',
      (r) => r.applications.findBySourceIds([{ keyId: KEY, sourceApplicationId: 's' }]),
    ],
    ['applications', (r) => r.applications.find(['ej_app_1'])],
    ['applications, locked', (r) => r.applications.findForUpdate(['ej_app_1'])],
    [
      'keys that have résumés to fetch',
      (r) => r.resumeFiles.claimOfOthers({ token: 't', forMs: 9 }, 9, 9, [KEY]),
    ],
  ])('%s: found by an index, without being told to', async (_, run) => {
    await client.query(AS_IT_LIKES);
    expect(scannedIn(await nodesOf(run))).toEqual([]);
  });

  it.each(PAGES)("%s: the plan of a page scans no table by the planner's own choice", async (_, run) => {
    await client.query(AS_IT_LIKES);
    // The heads, one for each key, fit a page or two here.
    expect(scannedIn(await nodesOf(run)).filter((table) => table !== 'ph_feed_head')).toEqual([]);
  });

  it('the newest events of a log are one ordered index range', async () => {
    await client.query(IN_ORDER);
    const nodes = await nodesOf((r) => r.events.listNewest({ keyId: KEY, from: 1, before: 9, limit: 9 }));
    const log = nodes.find((node) => node['Relation Name'] === 'ph_event');
    expect(log).toMatchObject({ 'Node Type': 'Index Scan', 'Index Name': 'ph_event_pkey' });
    for (const column of ['key_id', 'at >=', 'at <']) expect(log?.['Index Cond']).toContain(column);
    expect(log?.Filter).toBeUndefined();
    expect(scannedIn(nodes)).toEqual([]);
  });

  it('the key of an event is found by the index of each log', async () => {
    await client.query(AS_IT_LIKES);
    const nodes = await nodesOf((r) => r.events.findKey('evt_1'));
    const [log, ...others] = nodes.filter((node) => node['Relation Name'] === 'ph_event');
    expect(others).toEqual([]);
    expect(log).toMatchObject({ 'Node Type': 'Index Only Scan', 'Index Name': 'ph_event_key_id_id_key' });
    for (const column of ['key_id =', 'id =']) expect(log?.['Index Cond']).toContain(column);
  });

  it('counted requests are looked up by window and bucket, however many buckets a window has', async () => {
    await client.query(AS_IT_LIKES);
    const nodes = await nodesOf((r) => r.rateWindows.read(['b']).catch(() => null));
    const windows = nodes.filter((node) => node['Relation Name'] === 'ph_rate_window');
    expect(windows.map((node) => node['Index Name'])).toEqual(['ph_rate_window_pkey']);
    expect(windows[0]?.['Index Cond']).toMatch(/window_start = .* AND .*bucket_id = /);
  });

  it('counting a backlog reads index ranges up to their bounds', async () => {
    await client.query(IN_ORDER);
    const nodes = await nodesOf((r) => r.endpoints.backlogs(KEY, 5, 9));
    const ranges = nodes
      .filter((node) => node['Node Type'] === 'Limit')
      .map(({ Plans: [range] = [] }) => [range?.['Node Type'], range?.['Index Name'], range?.Filter]);
    expect(ranges.sort()).toEqual([
      ['Index Only Scan', 'ph_delivery_by_key_state', undefined],
      ...Array.from({ length: 3 }, () => ['Index Only Scan', 'ph_delivery_due', undefined]),
      ...Array.from({ length: 2 }, () => ['Index Only Scan', 'ph_delivery_oldest', undefined]),
      ...Array.from({ length: 2 }, () => ['Index Only Scan', 'ph_event_pkey', undefined]),
    ]);
    expect(scannedIn(nodes).filter((table) => table !== 'ph_endpoint')).toEqual([]);
  });

  it('counting all backlogs reads only changed feeds and keys with deliveries, by index', async () => {
    await client.query(ANY_INDEX);
    const nodes = await nodesOf((r) => r.endpoints.backlogs(null, 5, 9), 2);
    const indexes = nodes.flatMap((node) => node['Index Name'] ?? []);
    expect(indexes).toContain('ph_feed_head_unchecked');
    const walked = nodes.filter((node) => node['Relation Name'] === 'ph_delivery');
    expect(walked).not.toEqual([]);
    for (const node of walked) expect(node['Index Cond']).toContain('key_id >');
    expect(scannedIn(nodes).filter((table) => table !== 'ph_endpoint')).toEqual([]);
  });

  it('due deliveries have a literal limit before the look-up of events', async () => {
    await client.query(AS_IT_LIKES);
    const nodes = await nodesOf((r) => r.deliveries.listDue([{ keyId: KEY, limit: 9 }], 5));
    const limits = nodes.filter((node) => node['Node Type'] === 'Limit');
    const limited = limits.map(({ Plans: [range] = [] }) => range?.['Index Name'] ?? range?.['Node Type']);
    // The literal limit, the key's own limit, and one event for each delivery.
    const byOne = expect.stringMatching(/^ph_event_(pkey|key_id_id_key)$/);
    expect(limited.sort()).toEqual(['Limit', 'ph_delivery_due', byOne]);
    // By all columns of either unique index: the key alone would read the whole log.
    const events = nodes.filter((node) => node['Relation Name'] === 'ph_event');
    expect(events.map((node) => node['Index Cond'])).toEqual([
      expect.stringMatching(/key_id.* AND .*(at|id) =/),
    ]);
  });

  it('leasing reads one event of a log, regardless of its length', async () => {
    await client.query(IN_ORDER);
    // The limit was reached, so the next call reads in order of waiting time.
    await nodesOf((r) => r.endpoints.lease({ token: 't', forMs: 9 }, 5, 0));
    const nodes = await nodesOf((r) => r.endpoints.lease({ token: 't', forMs: 9 }, 5, 9));
    const probes = nodes.filter((node) => node['Relation Name'] === 'ph_event');
    expect(probes.map((node) => node['Node Type'])).toEqual(['Index Only Scan']);
    const turns = nodes.find((node) => node['Index Name'] === 'ph_endpoint_turn');
    expect(turns?.Filter).toContain('lease_until');
    // The server's clock is read once, not for each leased endpoint.
    expect(turns?.Filter).not.toContain('statement_timestamp');
    expect(scannedIn(nodes)).toEqual([]);
  });

  it('with few waiting endpoints, leasing reads changed feeds and scans no table', async () => {
    await client.query(ANY_INDEX);
    const nodes = await nodesOf((r) => r.endpoints.lease({ token: 't', forMs: 9 }, 5, 9));
    expect(scannedIn(nodes)).toEqual([]);
    const heads = nodes.filter((node) => node['Index Name'] === 'ph_feed_head_unchecked');
    expect(heads).toHaveLength(1);
    const probes = nodes.filter((node) => node['Relation Name'] === 'ph_event');
    expect(probes.map((node) => node['Node Type'])).toEqual(['Index Only Scan']);
  });
});

describe("query plans with the server's own settings", () => {
  beforeAll(() => use('auto'));

  it.each(PAGES)('%s: plans a page once', async (_, run) => {
    expect(await isPlannedOnce(run)).toBe(true);
  });
});
