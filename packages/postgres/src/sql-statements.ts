/**
 * Splits the SQL of a migration into its statements, without comments. Citus applies a statement's text to the shards,
 * so a text with several statements fails. Migrations have no text with `--` or `;` in quotes.
 */
export function splitStatements(sql: string): readonly string[] {
  return sql
    .replace(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}
