/**
 * A writing statement that is a transaction by itself, in one round trip, and whose commit does not wait for
 * the disk. The setting is one of that transaction only, so it means nothing to whoever uses the connection
 * next, behind a pooler too. A data-modifying part of a `with` always runs to its end.
 */
export function asyncCommit(sql: string): string {
  const known = asyncCommitTexts.get(sql);
  if (known !== undefined) return known;
  const returning = RETURNS.test(sql) ? sql : `${sql} returning 1`;
  const text =
    `with work as (${returning}) select work.* from work, ` +
    `(select set_config('synchronous_commit', 'off', true)) as setting`;
  asyncCommitTexts.set(sql, text);
  return text;
}

const RETURNS = /\breturning\b/;

const asyncCommitTexts = new Map<string, string>();
