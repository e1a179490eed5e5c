import { type Difference, describeObject } from './compare-tables.js';
import type { ManifestColumn } from './schema-manifest.js';

/** Returns the statements that repair a difference on PostgreSQL, or null if that needs a backup. */
export function repairOnPostgres(difference: Difference, prefix: string): string | null {
  const { kind, what, name, expected, found } = difference;
  const table = `${prefix}"${difference.table}"`;
  if (what === 'table') return null;
  if (what === 'index') {
    const drop = `drop index concurrently ${prefix}"${name}";`;
    return joined(kind === 'missing' ? null : drop, kind === 'extra' ? null : buildIndex(expected, table));
  }
  if (what === 'constraint') {
    const drop = `alter table ${table} drop constraint "${name}";`;
    // The manifest has the names of other tables without a schema.
    const definition = describeObject(expected).replace(/\bREFERENCES (?=\w)/, `REFERENCES ${prefix}`);
    const add = `alter table ${table} add constraint "${name}" ${definition};`;
    return joined(kind === 'missing' ? null : drop, kind === 'extra' ? null : add);
  }
  if (expected === null || typeof expected === 'string') return `alter table ${table} drop column "${name}";`;
  if (found === null || typeof found === 'string') return addColumn(table, name, expected, 'stored');
  return alterColumn(table, name, expected, found);
}

/** Returns the statements that repair a difference on SQLite, or null if that needs a backup. */
export function repairOnSqlite({ kind, what, table, name, expected }: Difference): string | null {
  if (what === 'index') {
    const drop = `drop index ${name};`;
    return joined(kind === 'missing' ? null : drop, kind === 'extra' ? null : `${describeObject(expected)};`);
  }
  if (what !== 'column' || kind === 'changed') return null;
  if (kind === 'extra') return `alter table ${table} drop column ${name};`;
  // SQLite does not tell the expression of a generated column.
  if (expected === null || typeof expected === 'string' || expected.generated !== undefined) return null;
  return addColumn(table, name, expected, '');
}

function joined(...statements: readonly (string | null)[]): string {
  return statements.filter((statement) => statement !== null).join('\n');
}

/** The manifest has the names without a schema, and without `concurrently`. */
function buildIndex(definition: Difference['expected'], table: string): string {
  const built = describeObject(definition).replace(
    /^CREATE (UNIQUE )?INDEX (\S+) ON \S+ /,
    (_, unique: string | undefined, name: string) =>
      `create ${unique === undefined ? '' : 'unique '}index concurrently ${name} on ${table} `,
  );
  return `${built};`;
}

/** Null for a required column without a default: the values of its rows are lost. */
function addColumn(table: string, name: string, column: ManifestColumn, generatedAs: string): string | null {
  if (column.notNull && column.default === undefined && column.generated === undefined) return null;
  const definition = describeObject(column);
  const kept = column.generated === undefined ? definition : `${definition} ${generatedAs}`;
  return `alter table ${table} add column "${name}" ${kept};`;
}

/** Null for a generated column, which cannot be changed in place. */
function alterColumn(
  table: string,
  name: string,
  expected: ManifestColumn,
  found: ManifestColumn,
): string | null {
  if (expected.generated !== undefined || found.generated !== undefined) return null;
  const column = `alter column "${name}"`;
  const changes = [
    ...(expected.type === found.type ? [] : [`${column} type ${expected.type}`]),
    ...(expected.default === found.default
      ? []
      : [
          expected.default === undefined
            ? `${column} drop default`
            : `${column} set default ${expected.default}`,
        ]),
    ...(expected.notNull === found.notNull
      ? []
      : [`${column} ${expected.notNull ? 'set' : 'drop'} not null`]),
  ];
  return `alter table ${table} ${changes.join(', ')};`;
}
