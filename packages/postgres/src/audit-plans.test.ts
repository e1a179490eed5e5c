import { AUDIT_QUERIES, AUDIT_SWEEP } from '@partner-hiring/test-support/audit-plans';
import { createPlanReader, PLAN_MODES, scannedIn } from '@partner-hiring/test-support/postgres/plan-reader';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** Every tenth entry has more objects. */
const FILL = `
  insert into ph_audit (id, number, at, actor_id, act, object_kind, object_id, objects)
    select 'aud_' || lpad(n::text, 8, '0'), 0, n, 'user_' || n % 50, case when n % 40 = 0 then 'jobs.close' else 'act_' || n % 40 end,
      'job', 'job_' || n % 900, '[]' from generate_series(1, 20000) n;
  insert into ph_audit (id, number, at, actor_id, act, object_kind, object_id, objects)
    select 'aud_' || lpad(n::text, 8, '0'), number, n, 'user_' || n % 50, 'act_1', 'job', 'job_' || n % 900 + number, '[]'
    from generate_series(10, 20000, 10) n, generate_series(1, 5) number;
`;

const { client, open, use, close, nodesOf } = createPlanReader();

beforeAll(() => open(`begin; ${FILL} commit; analyze`));
afterAll(close);

describe.each(PLAN_MODES)('plans of the audit with %s', (mode) => {
  beforeAll(() => use(mode));

  it.each(AUDIT_QUERIES)('%s: one range of %s, in order, up to the limit', async (_, index, run) => {
    const nodes = await nodesOf(run);
    const limited = nodes.findLast((node) => node['Node Type'] === 'Limit')?.Plans?.[0];
    expect(limited?.['Node Type']).toMatch(/^Index (Only )?Scan$/);
    expect(limited?.['Index Name']).toBe(index);
    expect(limited?.Filter).toBeUndefined();
    expect(scannedIn(nodes)).toEqual([]);
  });

  it('the sweep finds the oldest entries and their rows by indexes', async () => {
    await client.query('set enable_seqscan = off');
    const nodes = await nodesOf(AUDIT_SWEEP);
    expect(nodes.flatMap((node) => node['Index Name'] ?? [])).toContain('ph_audit_newest');
    expect(scannedIn(nodes)).toEqual([]);
    await client.query('reset enable_seqscan');
  });
});
