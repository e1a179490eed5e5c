import { LOOKUPS, NAME_QUERIES } from '@partner-hiring/test-support/find-plans';
import { createPlanReader, PLAN_MODES, scannedIn } from '@partner-hiring/test-support/postgres/plan-reader';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** Enough for the planner to prefer indexes. */
const ROWS = 30_000;

const FILL = `
  set local session_replication_role = replica;
  insert into ph_partner select 'ptn_' || n, 'P', n from generate_series(1, 5000) n;
  insert into ph_partner_key select 'key_' || n, 'ptn_' || n, 'production', n from generate_series(1, 5000) n;
  insert into ph_key_secret select md5(n::text), 'key_' || n, 'p', 'l', n from generate_series(1, 5000) n;
  insert into ph_endpoint select 'key_' || n, 'u', 'active', null, null, 0, null, null, '[]', 1, n, null, 0, n
    from generate_series(1, 5000) n;
  insert into ph_company select 'co_' || n, 'C', 'production', n from generate_series(1, 5000) n;
  insert into ph_access select 'key_' || n % 3, 'co_' || n, 1 from generate_series(1, 5000) n;
  insert into ph_job select 'job_' || n, 'co_' || n % 3, 't', 'c', 'r', 'US', 'hourly', null, null, 'USD', null, null,
    0, null, (array['open', 'closed', 'archived'])[n % 3 + 1], 0, n from generate_series(1, ${ROWS}) n;
  insert into ph_application select 'ej_app_' || n, 'key_' || n % 3, 'job_' || n % 3, 'co_' || n % 3, 's' || n,
    (array['received', 'in_progress', 'accepted', 'rejected'])[n % 4 + 1], 's', n, n, n, 'f', 'l', 'e', 'p', null, '{}',
    null, '{}', null, null, md5(n::text) from generate_series(1, ${ROWS}) n;
  insert into ph_request select 'r' || n, n, n % 2, 'key_' || n % 3, null, 'POST', '/applications', 201, null, '[]', 1,
    'ej_app_' || n, 0, 1, n from generate_series(1, ${ROWS}) n;
  insert into ph_request_read select 'key_' || n % 3, (array['/jobs', '/applications', '/applications/{id}'])[n % 3 + 1],
    n, 1, n, n, 'r' from generate_series(1, ${ROWS}) n;
  insert into ph_hour_count select (array['request', 'attempt'])[n % 2 + 1], 'key_' || n % 300, n, 'failed', 1
    from generate_series(1, ${ROWS}) n;
`;

/** Sorting is cheapest in a small test. With a million rows, the index must provide the order. */
const IN_ORDER = 'set enable_seqscan = off; set enable_sort = off; set enable_bitmapscan = off';
const AS_IT_LIKES = 'reset enable_seqscan; reset enable_sort; reset enable_bitmapscan';

const { client, open, use, close, nodesOf } = createPlanReader();

beforeAll(() => open(`begin; ${FILL} commit; analyze`));
afterAll(close);

describe.each(PLAN_MODES)('plans of look-ups with %s', (mode) => {
  beforeAll(() => use(mode));

  it.each(LOOKUPS)(
    '$name: ranges of one index, in order',
    async ({ run, index, ranges, columns, filtered = [], anchor }) => {
      await client.query(IN_ORDER);
      const nodes = await nodesOf(run, anchor === undefined ? 1 : 2);
      const read = nodes.filter(
        (node) => node['Relation Name'] !== undefined && node['Index Name'] !== anchor,
      );
      expect(read.map((node) => node['Index Name'])).toEqual(Array(ranges).fill(index));
      for (const { 'Index Cond': condition, Filter } of read) {
        for (const column of columns) expect(condition).toContain(column);
        if (filtered.length === 0) expect(Filter).toBeUndefined();
        for (const column of filtered) expect(Filter).toContain(column);
      }
      expect(nodes.map((node) => node['Node Type'])).not.toContain('Sort');
    },
  );

  it.each(LOOKUPS)('$name: no table is scanned by the own choice of the planner', async ({ run, anchor }) => {
    await client.query(AS_IT_LIKES);
    expect(scannedIn(await nodesOf(run, anchor === undefined ? 1 : 2))).toEqual([]);
  });

  it.each(NAME_QUERIES)('%s: no table is scanned', async (_, run) => {
    await client.query(AS_IT_LIKES);
    expect(scannedIn(await nodesOf(run))).toEqual([]);
  });
});
