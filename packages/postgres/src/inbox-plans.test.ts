import { answerWithHead, INBOX_QUERIES } from '@partner-hiring/test-support/inbox-plans';
import { createPlanReader, PLAN_MODES, scannedIn } from '@partner-hiring/test-support/postgres/plan-reader';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const FILL = `
  set local session_replication_role = replica;
  insert into ph_inbox_head select 'key_' || n, 1 from generate_series(1, 2000) n;
  insert into ph_inbox_entry (application_id, at, key_id, kind, retry_at)
    select 'ej_app_' || n, n, 'key_' || n % 200, 'application.submitted', case when n % 9 = 0 then n end
    from generate_series(1, 30000) n;
`;

/** Scanning is cheapest in a small table. With many keys, an index must serve. */
const ANY_INDEX = 'set enable_seqscan = off';

const { client, open, use, close, nodesOf } = createPlanReader(answerWithHead);

beforeAll(() => open(`begin; ${FILL} commit; analyze`));
afterAll(close);

describe.each(PLAN_MODES)('plans of the inbox with %s', (mode) => {
  beforeAll(async () => {
    await use(mode);
    await client.query(ANY_INDEX);
  });

  it.each(INBOX_QUERIES)('%s scans no table where an index serves', async (_, run, statements) => {
    expect(scannedIn(await nodesOf(run, statements))).toEqual([]);
  });

  it('new entries are one ordered range behind the position', async () => {
    const nodes = await nodesOf((r) => r.inbox.claim({ keyIds: ['key_1'], now: 9, limit: 9 }), 3);
    const range = nodes.find((node) => node['Index Name'] === 'ph_inbox_entry_pkey');
    for (const column of ['key_id =', 'at >']) expect(range?.['Index Cond']).toContain(column);
    expect(range?.Filter).toBe('(retry_at IS NULL)');
  });
});
