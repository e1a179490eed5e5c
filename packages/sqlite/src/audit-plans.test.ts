import { AUDIT_QUERIES, AUDIT_SWEEP } from '@partner-hiring/test-support/audit-plans';
import { explainOnSqlite } from '@partner-hiring/test-support/explained-sqlite';
import { expect, it } from 'vitest';

const { direct, plans } = explainOnSqlite();

it.each(AUDIT_QUERIES)('%s: one range of %s, in order', async (_, index, run) => {
  await run(direct);
  expect(plans()).toHaveLength(1);
  expect(plans()[0]).toMatch(new RegExp(`^SEARCH ph_audit USING (COVERING )?INDEX ${index} \\(`));
  expect(plans()[0]).not.toContain('TEMP B-TREE');
});

it('the sweep finds the oldest entries and their rows by indexes', async () => {
  await AUDIT_SWEEP(direct);
  const [plan = ''] = plans();
  expect(plan).toContain('ph_audit_newest');
  expect(plan).not.toMatch(/SCAN (?!oldest|\(subquery)/);
});
