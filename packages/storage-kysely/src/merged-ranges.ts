import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Preparation } from './preparation.js';
import type { Schema } from './schema.js';
import { define, type Param, type Statement } from './statement.js';

/** One range of an index, without order and limit. */
export type Range<Row> = SelectQueryBuilder<Schema, never, Row>;

/** How the rows of all ranges are ordered: by these columns, in this direction. */
export interface RangeOrder {
  readonly columns: readonly string[];
  readonly direction: 'asc' | 'desc';
}

type ColumnName = { [Table in keyof Schema]: keyof Schema[Table] & string }[keyof Schema];

/**
 * The condition for rows beyond a position. Comparing several columns at once lets the database read one range of the
 * index.
 */
export function beyond(
  is: '<' | '>',
  position: { readonly [Name in ColumnName | `${string}.${ColumnName}`]?: RawBuilder<unknown> },
): RawBuilder<boolean> {
  const columns = Object.keys(position).map((name) => sql.ref(name));
  return sql`(${sql.join(columns)}) ${sql.raw(is)} (${sql.join(Object.values(position))})`;
}

/** The host's lists return at most 1000 rows, and read one more to know whether there is a next page. */
const LONGEST_LIST = 1_001;

/**
 * Merges ranges that have the same order, and selects the first `limit` rows. Each must be a range of an index in this
 * order. From each range, the database then reads at most one row beyond those that it returns.
 *
 * @param longest - the largest limit. It is a literal in the statement on PostgreSQL. For a limit that is a parameter,
 *   the planner would expect to read a tenth of the table.
 */
export function mergeRanges<Row>(
  { queries, batches }: Preparation,
  ranges: readonly Range<Row>[],
  { columns, direction }: RangeOrder,
  limit: RawBuilder<number>,
  longest: number = LONGEST_LIST,
): Range<Row> {
  const [first, ...others] = ranges;
  if (first === undefined) throw new Error('There is no range to merge.');
  const inOrder = (query: Range<Row>) =>
    columns.reduce((ordered, column) => ordered.orderBy(column as never, direction), query);
  const all = (query: Range<Row>, alias: string) =>
    queries.selectFrom(query.as(alias) as never).selectAll() as unknown as Range<Row>;
  const union = (parts: readonly [Range<Row>, ...Range<Row>[]]) =>
    parts.slice(1).reduce((united, part) => united.unionAll(part as never), parts[0]);

  if (batches.kind === 'per_item') return inOrder(union([first, ...others])).limit(limit);

  const bounded = (query: Range<Row>) => inOrder(query).limit(sql.lit(longest));
  if (others.length === 0) return inOrder(all(bounded(first), 'longest')).limit(limit);
  // PostgreSQL merges the parts of a union only if each is in order. Otherwise it sorts their union.
  const ordered = (query: Range<Row>) => all(bounded(query), 'range');
  const merged = bounded(all(union([ordered(first), ...others.map(ordered)]), 'merged'));
  return inOrder(all(merged, 'longest')).limit(limit);
}

/** Defines a statement that merges ranges up to its value `limit`: see `mergeRanges`. */
export function defineMerged<Row, Values extends { readonly limit: number }>(
  preparation: Preparation,
  order: RangeOrder,
  ranges: (param: Param<Values>) => readonly Range<Row>[],
  longest?: number,
): Statement<Values, Row> {
  return define((param: Param<Values>) =>
    mergeRanges(preparation, ranges(param), order, param('limit'), longest),
  );
}
