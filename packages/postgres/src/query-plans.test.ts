import { PLANNED_QUERIES } from '@partner-hiring/test-support/plans/all';
import { answerWithOld } from '@partner-hiring/test-support/plans/deliveries';
import { answerWithHead } from '@partner-hiring/test-support/plans/inbox';
import {
  KEY,
  type PlanConditions,
  type PlannedQuery,
  type RunPlanned,
} from '@partner-hiring/test-support/plans/planned-query';
import { PLAN_FILL } from '@partner-hiring/test-support/postgres/plan-fill';
import {
  createPlanReader,
  isOneRow,
  PLAN_MODES,
  type PlanNode,
  scannedIn,
} from '@partner-hiring/test-support/postgres/plan-reader';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/**
 * Forces plans that read indexes in order. In a small test, sorting would be cheapest. With a million rows, the index
 * must provide the order.
 */
const IN_ORDER = 'set enable_seqscan = off; set enable_sort = off; set enable_bitmapscan = off';

/** Likewise for scanning a small table. */
const ANY_INDEX = 'set enable_seqscan = off; reset enable_sort; reset enable_bitmapscan';

const AS_IT_LIKES = 'reset enable_seqscan; reset enable_sort; reset enable_bitmapscan';

const { client, open, fill, use, close, nodesOf, isPlannedOnce } = createPlanReader();
const QUERIES = PLANNED_QUERIES.filter(({ only = 'postgres' }) => only === 'postgres');

function named(where: (query: PlannedQuery) => unknown): readonly (readonly [string, PlannedQuery])[] {
  return QUERIES.filter(where).map((query) => [query.name, query]);
}

beforeAll(open);
afterAll(close);

describe.each(PLAN_MODES)('query plans with %s on tables without statistics', (mode) => {
  beforeAll(() => use(mode));

  it.each(named(({ young }) => young))('%s reads only by indexes, also when they grow', async (_, query) => {
    const nodes = await nodesOf(query.run, query);
    expect(scannedIn(nodes)).toEqual([]);
    // The index has the whole condition: the cost of a filter would grow with the table.
    if (!query.range) expect(nodes.filter(({ Filter }) => Filter !== undefined)).toEqual([]);
  });
});

/** The columns that bound a range, without expressions. */
function columnsOf(bounds: string): readonly string[] {
  return bounds.replace('<expr>', '').match(/[a-z_]+/g) ?? [];
}

/**
 * Expects a plan to read its ranges in order, each up to the limit. Beside them, it may read only single rows by other
 * indexes.
 */
function expectRanges(nodes: readonly PlanNode[], query: PlannedQuery): void {
  const { range, beside = [], filtered = [], sorted, limit = 'own' } = query;
  if (!range) return;
  const read = nodes.filter((node) => node['Relation Name'] !== undefined && !isOneRow(node));
  const ranges = read.filter((node) => node['Index Name'] === range.index);
  const others = read.filter((node) => !ranges.includes(node)).map((node) => node['Index Name']);
  expect(ranges).toHaveLength(range.merged);
  expect(others.sort()).toEqual([...beside].sort());
  for (const { 'Node Type': type, 'Index Cond': condition = '', Filter } of ranges) {
    expect(type).toMatch(/^Index (Only )?Scan$/);
    for (const column of columnsOf(range.bounds)) expect(condition).toContain(column);
    if (filtered.length === 0) expect(Filter).toBeUndefined();
    for (const column of filtered) expect(Filter).toContain(column);
  }
  if (!sorted) expect(nodes.map((node) => node['Node Type'])).not.toContain('Sort');

  const limits = ranges.map((range) => limitOf(range, nodes, limit === 'joined'));
  if (limit !== 'none') for (const node of limits) expect(node?.['Node Type']).toBe('Limit');
  const merges = nodes.filter((node) => node['Node Type'] === 'Merge Append');
  expect(merges.map(({ Plans }) => Plans)).toEqual(range.merged === 1 ? [] : [limits]);
}

/**
 * Returns the node around a range, which should be its limit. Skips locks, and with `isJoined` the joins with other
 * rows.
 */
function limitOf(range: PlanNode, nodes: readonly PlanNode[], isJoined: boolean): PlanNode | undefined {
  const between = isJoined ? /^(LockRows|Nested Loop|Result)$/ : /^LockRows$/;
  const outer = nodes.find(({ Plans }) => Plans?.includes(range));
  return outer && between.test(outer['Node Type']) ? limitOf(outer, nodes, isJoined) : outer;
}

describe('query plans on filled tables', () => {
  beforeAll(() => fill(PLAN_FILL));

  describe.each(PLAN_MODES)('with %s', (mode) => {
    beforeAll(() => use(mode));

    it.each(named(() => true))('%s reads only by indexes, and lists in order', async (_, query) => {
      await client.query(query.range ? IN_ORDER : ANY_INDEX);
      const nodes = await nodesOf(query.run, query);
      expect(scannedIn(nodes)).toEqual([]);
      expectRanges(nodes, query);
    });

    it.each(named(({ unforced }) => unforced))(
      "%s scans no table by the planner's own choice",
      async (_, query) => {
        await client.query(AS_IT_LIKES);
        const nodes = await nodesOf(query.run, query);
        expect(scannedIn(nodes)).toEqual([]);
        if (query.unforced === 'in order') expectRanges(nodes, query);
      },
    );

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
      for (const node of nodes.filter((node) => node['Index Name'] === 'ph_delivery_oldest')) {
        expect(node['Index Cond']).toMatch(/key_id = .*pending_since IS/);
      }
      expect(scannedIn(nodes)).toEqual([]);
    });

    it('counting all backlogs reads only changed feeds and keys with deliveries, by index', async () => {
      await client.query(ANY_INDEX);
      const nodes = await nodesOf((r) => r.endpoints.backlogs(null, 5, 9), { statements: 2 });
      expect(nodes.map((node) => node['Index Name'])).toContain('ph_feed_head_unchecked');
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

    it('the evidence of a success is found in one range, that of first attempts in order', async () => {
      await client.query(AS_IT_LIKES);
      const nodes = await nodesOf((r) => r.evidence.find([{ keyId: KEY, at: 5 }]), { statements: 2 });
      const ranges = nodes.filter((node) => node['Index Name'] === 'ph_delivery_evidence_pkey');
      expect(ranges).toHaveLength(2);
      for (const range of ranges) {
        for (const column of ['key_id =', 'replaced', 'last_at']) {
          expect(range['Index Cond']).toContain(column);
        }
      }
      const around = nodes.slice(
        0,
        nodes.findIndex((node) => ranges.includes(node)),
      );
      expect(around.map((node) => node['Node Type'])).not.toContain('Sort');
    });

    it.each<[string, RunPlanned, string, PlanConditions]>([
      [
        'evidence',
        (r) => r.evidence.sweep(9, 9),
        'ph_delivery_evidence_oldest',
        { statements: 2, answer: answerWithOld },
      ],
      ['the audit', (r) => r.audit.sweep(500, 9), 'ph_audit_newest', {}],
    ])('sweeping %s reads the oldest rows by an index', async (_, run, index, conditions) => {
      await client.query(ANY_INDEX);
      const nodes = await nodesOf(run, conditions);
      expect(nodes.map((node) => node['Index Name'])).toContain(index);
      expect(scannedIn(nodes)).toEqual([]);
    });

    it('new entries of the inbox are one ordered range behind the position', async () => {
      await client.query(ANY_INDEX);
      const claim = { keyIds: [KEY], now: 9, limit: 9 };
      const nodes = await nodesOf((r) => r.inbox.claim(claim), { statements: 4, answer: answerWithHead });
      const range = nodes.find((node) => node['Index Name'] === 'ph_inbox_entry_pkey');
      for (const column of ['key_id =', 'at >']) expect(range?.['Index Cond']).toContain(column);
      expect(range?.Filter).toBe('(retry_at IS NULL)');
    });
  });

  it.each(named(({ plannedOnce }) => plannedOnce))('%s is planned by the server once', async (_, { run }) => {
    await use('auto');
    expect(await isPlannedOnce(run)).toBe(true);
  });

  describe('what a success costs', () => {
    /** Settles an endpoint. Returns the number of its updates, and how many of them touched no index. */
    async function settle(set: string): Promise<readonly number[]> {
      const counts = `select pg_stat_get_xact_tuples_updated('ph_endpoint'::regclass)::integer as all,
        pg_stat_get_xact_tuples_hot_updated('ph_endpoint'::regclass)::integer as hot`;
      await client.query('begin');
      const [before] = (await client.query<{ all: number; hot: number }>(counts)).rows;
      await client.query(`update ph_endpoint set ${set} where key_id = '${KEY}'`);
      const { rows } = await client.query<{ all: number; hot: number }>(counts);
      await client.query('commit');
      return [(rows[0]?.all ?? 0) - (before?.all ?? 0), (rows[0]?.hot ?? 0) - (before?.hot ?? 0)];
    }

    /** All columns that a settlement writes. */
    const settled = (failures: number, since: string, warn: string, watermark: number) =>
      `state = 'active', consecutive_failures = ${failures}, first_failure_at = ${since}, last_success_at = ${watermark},
       last_failure = null, failing_warned_at = null, pause_warned_at = null, warn_at = ${warn}, watermark = ${watermark}`;

    it('writes to no index while the endpoint is healthy or keeps failing, and to two when that changes', async () => {
      await use('auto');
      // Leaves room in the page of the row.
      await client.query('vacuum full ph_endpoint');
      expect(await settle(settled(0, 'null', 'null', 10))).toEqual([1, 1]);
      expect(await settle(settled(0, 'null', 'null', 11))).toEqual([1, 1]);
      expect(await settle(settled(1, '12', '20', 11))).toEqual([1, 0]);
      expect(await settle(settled(2, '12', '20', 11))).toEqual([1, 1]);
      expect(await settle(settled(0, 'null', 'null', 14))).toEqual([1, 0]);
      expect(await settle(settled(0, 'null', 'null', 15))).toEqual([1, 1]);
    });
  });
});
