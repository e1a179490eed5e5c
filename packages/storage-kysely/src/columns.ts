import type { Columns } from './dialect.js';

/** The names of the columns, for an insert that takes its rows from a batch of the same columns. */
export function columnNames<Item>(columns: Columns<Item>): (keyof Item & string)[] {
  return Object.keys(columns) as (keyof Item & string)[];
}
