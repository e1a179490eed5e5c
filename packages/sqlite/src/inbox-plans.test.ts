import { explainOnSqlite } from '@partner-hiring/test-support/explained-sqlite';
import { answerWithHead, INBOX_QUERIES } from '@partner-hiring/test-support/inbox-plans';
import { expect, it } from 'vitest';

const { direct, plans } = explainOnSqlite(answerWithHead);

it.each(INBOX_QUERIES)('%s scans no table', async (_, run, statements) => {
  await run(direct);
  expect(plans().length).toBeGreaterThanOrEqual(statements);
  for (const plan of plans()) expect(plan).not.toMatch(/SCAN (?!CONSTANT ROW|item|turn|\(subquery)/);
});

it('new entries are one ordered range behind the position', async () => {
  await direct.inbox.claim({ keyIds: ['key_1'], now: 9, limit: 9 });
  const unread = plans().find((plan) => plan.includes('at>?'));
  expect(unread).toContain('PRIMARY KEY (key_id=? AND at>?)');
  expect(unread).not.toContain('TEMP B-TREE');
});
