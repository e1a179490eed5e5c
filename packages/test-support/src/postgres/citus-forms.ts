/** Returns what Citus would refuse about a statement on tables in one shard, or null. */
export function refusedByCitus(text: string): string | null {
  const sql = text.replace(/'(?:[^']|'')*'|--.*$/gm, "''");
  if (/;\s*\S/.test(sql) && /\b(?:create|alter|drop)\b/.test(sql)) return 'several statements at once';
  if (clausesOf(sql, 'values').some(hasSelect)) return 'a sub-select in `values`';
  if (clausesOf(sql, 'set').some(hasSelect)) return 'a sub-select in `set`';
  if (clausesOf(sql, 'returning').some((clause) => NOT_OF_A_ROW.test(clause))) {
    return 'the clock or a parameter in `returning`';
  }
  if (sql.includes('set_config(') && sql.includes('ph_')) return '`set_config` in a statement on a table';
  return null;
}

const NOT_OF_A_ROW = /\b(?:statement_timestamp|clock_timestamp|now)\(|\$\d/;

function hasSelect(clause: string): boolean {
  return /\(\s*select\b/.test(clause);
}

const NEXT_CLAUSE = /^(?:from|where|returning|on conflict)\b/;

/** Returns the text after each such keyword, up to the next clause or the end of the surrounding parentheses. */
function clausesOf(sql: string, keyword: string): readonly string[] {
  return [...sql.matchAll(new RegExp(`\\b${keyword}\\b`, 'g'))].map(({ index }) => {
    const rest = sql.slice(index + keyword.length);
    return rest.slice(0, endOfClause(rest));
  });
}

function endOfClause(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth < 0 || (depth === 0 && text[at - 1] === ' ' && NEXT_CLAUSE.test(text.slice(at)))) return at;
  }
  return text.length;
}
