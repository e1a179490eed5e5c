import { FAILING_QUERIES } from '@partner-hiring/test-support/failing-plans';
import { createPlanReader, PLAN_MODES, scannedIn } from '@partner-hiring/test-support/postgres/plan-reader';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

const ENDPOINTS = 20_000;
const FILL = `
  set local session_replication_role = replica;
  insert into ph_partner select 'ptn_' || n, 'Partner', 0 from generate_series(1, ${ENDPOINTS}) n;
  insert into ph_partner_key select 'key_' || n, 'ptn_' || n, 'production', 0 from generate_series(1, ${ENDPOINTS}) n;
  insert into ph_feed_head (key_id, at) select 'key_' || n, n from generate_series(1, ${ENDPOINTS}) n;
  insert into ph_endpoint (key_id, url, state, consecutive_failures, first_failure_at, warn_at, secrets, created_at, watermark)
    select 'key_' || n, 'https://a.example', 'active', 0, case when n % 50 = 0 then n end, case when n % 50 = 0 then n end, '[]', 0, 0
    from generate_series(1, ${ENDPOINTS}) n;
  insert into ph_delivery (key_id, event_id, event_at, state, attempts, cycle, due_at)
    select 'key_' || n % 20, 'evt_' || n, n, 'pending', 1, 1, n from generate_series(1, 20000) n;
  insert into ph_alert (id, kind, key_id, reason, at)
    select 'alr_' || n, 'endpoint_paused', 'key_' || n, 'gone', n from generate_series(1, 5000) n;
`;

const { client, open, use, close, nodesOf } = createPlanReader();

beforeAll(() => open(`begin; ${FILL} commit; analyze`));
afterAll(close);

describe.each(PLAN_MODES)('plans of failing endpoints with %s', (mode) => {
  beforeAll(() => use(mode));

  it.each(FAILING_QUERIES)('%s reads one range of %s', async (_, index, run) => {
    const nodes = await nodesOf(run);
    expect(nodes.flatMap((node) => node['Index Name'] ?? [])).toContain(index);
    expect(scannedIn(nodes)).toEqual([]);
    expect(nodes.map((node) => node['Node Type'])).not.toContain('Sort');
  });

  it('the oldest pending delivery of a key is two look-ups', async () => {
    const nodes = await nodesOf((r) => r.endpoints.backlogs('key_1', 5, 9));
    const found = nodes.filter((node) => node['Index Name'] === 'ph_delivery_oldest');
    expect(found).toHaveLength(2);
    for (const node of found) expect(node['Index Cond']).toMatch(/key_id = .*pending_since IS/);
  });
});

describe('what a success costs', () => {
  /** Settles an endpoint, and returns its updates and those among them that touched no index. */
  async function settle(set: string): Promise<readonly number[]> {
    const counts = `select pg_stat_get_xact_tuples_updated('ph_endpoint'::regclass)::integer as all,
      pg_stat_get_xact_tuples_hot_updated('ph_endpoint'::regclass)::integer as hot`;
    await client.query('begin');
    const [before] = (await client.query<{ all: number; hot: number }>(counts)).rows;
    await client.query(`update ph_endpoint set ${set} where key_id = 'key_1'`);
    const { rows } = await client.query<{ all: number; hot: number }>(counts);
    await client.query('commit');
    return [(rows[0]?.all ?? 0) - (before?.all ?? 0), (rows[0]?.hot ?? 0) - (before?.hot ?? 0)];
  }

  /** All columns that a settlement writes. */
  const settled = (failures: number, since: string, warn: string, watermark: number) =>
    `state = 'active', consecutive_failures = ${failures}, first_failure_at = ${since}, last_success_at = ${watermark},
     last_failure = null, failing_warned_at = null, pause_warned_at = null, warn_at = ${warn}, watermark = ${watermark}`;

  beforeEach(async () => {
    await use('auto');
    // Leaves room in the page of the row.
    await client.query('vacuum full ph_endpoint');
  });

  it('writes to no index while the endpoint is healthy or keeps failing, and to two when that changes', async () => {
    expect(await settle(settled(0, 'null', 'null', 10))).toEqual([1, 1]);
    expect(await settle(settled(0, 'null', 'null', 11))).toEqual([1, 1]);
    expect(await settle(settled(1, '12', '20', 11))).toEqual([1, 0]);
    expect(await settle(settled(2, '12', '20', 11))).toEqual([1, 1]);
    expect(await settle(settled(0, 'null', 'null', 14))).toEqual([1, 0]);
    expect(await settle(settled(0, 'null', 'null', 15))).toEqual([1, 1]);
  });
});
