import { CANDIDATE_QUERIES, CANDIDATE_RANGES } from '@partner-hiring/test-support/candidate-plans';
import { createPlanReader, PLAN_MODES, scannedIn } from '@partner-hiring/test-support/postgres/plan-reader';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROWS = 20_000;

const FILL = `
  set local session_replication_role = replica;
  insert into ph_application select 'ej_app_' || n, 'key_' || n % 3, 'job_' || n % 5000, 'co_' || n % 500, null,
    'received', 's', n, n, n, 'f', 'l', 'Mail' || n % 9000 || '@example.org', '+1415' || n % 9000, null, '{}', null, '{}',
    case when n % 2 = 1 then n end, 'k' || n from generate_series(1, ${ROWS}) n;
  insert into ph_idempotency select 'key_' || n % 3, 'k' || n, 'f', 'f', 'ej_app_' || n, 'c', 201, '{}', n, n
    from generate_series(1, ${ROWS}) n;
  insert into ph_event select 'key_' || n % 200, n, 'evt_' || n, 'job.opened', '{}' from generate_series(1, ${ROWS}) n;
  insert into ph_delivery select 'key_' || n % 200, 'evt_' || n, n, 'dead', 1, 1, null, n, null, null
    from generate_series(1, ${ROWS}) n;
  insert into ph_attempt select key_id, event_id, 1, 1, event_at, 1, '{}' from ph_delivery;
  insert into ph_resume_task select 'ej_app_' || n, 'key_' || n % 3, 'u', 1, n from generate_series(1, 5000) n;
  insert into ph_resume_removal select 'ej_app_' || n, 'l', 1, n from generate_series(1, 5000) n;
  insert into ph_inbox_entry (application_id, at, key_id, kind, retry_at)
    select 'ej_app_' || n, n, 'key_' || n % 200, 'application.submitted', case when n % 9 = 0 then n end
    from generate_series(1, ${ROWS}) n;
`;

/** Sorting is cheapest in a small test. With a million rows, the index must provide the order. */
const IN_ORDER = 'set enable_seqscan = off; set enable_sort = off; set enable_bitmapscan = off';
const ANY_INDEX = 'set enable_seqscan = off; reset enable_sort; reset enable_bitmapscan';

const { client, open, use, close, nodesOf } = createPlanReader();

beforeAll(() => open(`begin; ${FILL} commit; analyze`));
afterAll(close);

describe.each(PLAN_MODES)('plans of candidates with %s', (mode) => {
  beforeAll(() => use(mode));

  it.each(CANDIDATE_RANGES)(
    '%s: one range of one index, in order, up to the limit',
    async (_, run, index) => {
      await client.query(IN_ORDER);
      const nodes = await nodesOf(run);
      const limited = nodes.findLast((node) => node['Node Type'] === 'Limit')?.Plans?.[0];
      expect(limited?.['Node Type']).toMatch(/^Index (Only )?Scan$/);
      expect(limited?.['Index Name']).toBe(index);
      expect(limited?.Filter).toBeUndefined();
      expect(scannedIn(nodes)).toEqual([]);
    },
  );

  it.each(CANDIDATE_QUERIES)('%s: no table is scanned where an index serves', async (_, run, statements) => {
    await client.query(ANY_INDEX);
    expect(scannedIn(await nodesOf(run, statements))).toEqual([]);
  });
});
