import { CANDIDATE_QUERIES, CANDIDATE_RANGES } from '@partner-hiring/test-support/candidate-plans';
import { explainOnSqlite } from '@partner-hiring/test-support/explained-sqlite';
import { expect, it } from 'vitest';

const { direct, plans } = explainOnSqlite();

it.each(CANDIDATE_RANGES)('%s: one range of one index, in order', async (_, run, index) => {
  await run(direct);
  expect(plans()).toHaveLength(1);
  expect(plans()[0]).toMatch(new RegExp(`^SEARCH ph_application USING (COVERING )?INDEX ${index} \\(`));
  expect(plans()[0]).not.toContain('TEMP B-TREE');
});

it.each(CANDIDATE_QUERIES)('%s: no table is scanned', async (_, run, statements) => {
  await run(direct);
  expect(plans().length).toBeGreaterThanOrEqual(statements);
  for (const plan of plans()) expect(plan).not.toMatch(/SCAN (?!CONSTANT ROW|item|\(subquery)/);
});
