import { answerWithOld, EVIDENCE_QUERIES } from '@partner-hiring/test-support/evidence-plans';
import { explainOnSqlite } from '@partner-hiring/test-support/explained-sqlite';
import { expect, it } from 'vitest';

const { direct, plans } = explainOnSqlite(answerWithOld);

it.each(EVIDENCE_QUERIES)('%s scans no table', async (_, run, statements) => {
  await run(direct);
  expect(plans()).toHaveLength(statements);
  for (const plan of plans()) expect(plan).not.toMatch(/SCAN (?!CONSTANT ROW|item|\(subquery)/);
});

it('a success is found in one range, those of the first attempts in order', async () => {
  await direct.evidence.find([{ keyId: 'key_1', at: 5 }]);
  const [covering, replaced] = plans();
  expect(covering).toContain('PRIMARY KEY (key_id=? AND replaced=? AND last_at>?)');
  expect(replaced).toContain(
    'PRIMARY KEY (key_id=? AND (replaced,last_at)>(?,?) AND (replaced,last_at)<(?,?))',
  );
  expect(covering).not.toContain('TEMP B-TREE');
});
