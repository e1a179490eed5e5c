/**
 * Turns a writing statement into one that commits without waiting for the disk. The setting applies only to
 * that statement's own transaction.
 */
export function asyncCommit(sql: string): string {
  const known = asyncCommitTexts.get(sql);
  if (known !== undefined) return known;
  const returning = RETURNS.test(sql) ? sql : `${sql} returning 1`;
  const text =
    `with work as (${returning}) select work.* from work, ` +
    `(select pg_catalog.set_config('synchronous_commit', 'off', true)) as setting`;
  asyncCommitTexts.set(sql, text);
  return text;
}

const RETURNS = /\breturning\b/;

const asyncCommitTexts = new Map<string, string>();
