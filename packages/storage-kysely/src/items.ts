import { sql } from 'kysely';
import { columnNames } from './columns.js';
import type { Batches, Unnest } from './dialect.js';
import { itemValue } from './statement.js';

/** A batch as a table named `item`: all its items, or one, as the database takes them. */
export function itemsOf(batches: Batches): Unnest {
  if (batches.kind === 'combineStatements') return batches.unnest;
  return (_json, columns) => {
    const values = columnNames(columns).map((name) => sql`${itemValue(name)} as ${sql.ref(name)}`);
    return sql<never>`(select ${sql.join(values)})`.as('item');
  };
}
