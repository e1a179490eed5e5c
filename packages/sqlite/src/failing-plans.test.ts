import { explainOnSqlite } from '@partner-hiring/test-support/explained-sqlite';
import { FAILING_QUERIES } from '@partner-hiring/test-support/failing-plans';
import { expect, it } from 'vitest';

const { direct, plans } = explainOnSqlite();

it.each(FAILING_QUERIES)('%s reads one ordered range of %s', async (_, index, run) => {
  await run(direct);
  const [plan = ''] = plans();
  expect(plan).toContain(index);
  expect(plan).not.toContain('TEMP B-TREE');
  // A scan of the index reads its first rows only, because it is in the order of the list.
  expect(plan).not.toMatch(
    /SCAN (?!\w+ USING (COVERING )?INDEX ph_(endpoint_failing|alert_turn)|\(subquery|failing|CONSTANT ROW)/,
  );
});

it('the oldest pending delivery of a key is two look-ups', async () => {
  await direct.endpoints.backlogs('key_1', 5, 9);
  const found = plans()
    .join('\n')
    .match(/SEARCH delivery USING COVERING INDEX ph_delivery_oldest \(key_id=\? AND pending_since[=>]\?\)/g);
  expect(found).toHaveLength(2);
});
