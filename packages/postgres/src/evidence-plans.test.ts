import { answerWithOld, EVIDENCE_QUERIES } from '@partner-hiring/test-support/evidence-plans';
import { createPlanReader, PLAN_MODES, scannedIn } from '@partner-hiring/test-support/postgres/plan-reader';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const FILL = `
  set local session_replication_role = replica;
  insert into ph_delivery_evidence
    select 'key_' || n % 500, 0, n, 1, n, '[[0,1,200,1,1]]' from generate_series(1, 30000) n;
  insert into ph_delivery_evidence
    select 'key_' || n % 500, 1, n, 1, n, '[[0,1,200,1,1]]' from generate_series(1, 3000) n;
  insert into ph_event select 'key_' || n % 500, n, 'evt_' || n, 'job.opened', '{}' from generate_series(1, 30000) n;
`;

function fail(): never {
  throw new Error('No range was read.');
}

const { open, use, close, nodesOf } = createPlanReader(answerWithOld);

beforeAll(() => open(`begin; ${FILL} commit; analyze`));
afterAll(close);

describe.each(PLAN_MODES)('plans of delivery evidence with %s', (mode) => {
  beforeAll(() => use(mode));

  it.each(EVIDENCE_QUERIES)('%s scans no table', async (_, run, statements) => {
    expect(scannedIn(await nodesOf(run, statements))).toEqual([]);
  });

  it('a success is found in one range, those of the first attempts in order', async () => {
    const nodes = await nodesOf((r) => r.evidence.find([{ keyId: 'key_1', at: 5 }]), 2);
    const ranges = nodes.filter((node) => node['Index Name'] === 'ph_delivery_evidence_pkey');
    expect(ranges).toHaveLength(2);
    for (const range of ranges) {
      for (const column of ['key_id =', 'replaced', 'last_at']) expect(range['Index Cond']).toContain(column);
    }
    // A node follows the nodes around it.
    const around = nodes.slice(0, nodes.indexOf(ranges[0] ?? fail()));
    expect(around.map((node) => node['Node Type'])).not.toContain('Sort');
  });

  it('a sweep reads the oldest rows', async () => {
    const nodes = await nodesOf((r) => r.evidence.sweep(9, 9), 2);
    expect(nodes.flatMap((node) => node['Index Name'] ?? [])).toContain('ph_delivery_evidence_oldest');
  });
});
