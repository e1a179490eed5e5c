/** Compares two rows as the `order by` of a list does. Zero means that they are the same row. */
export type Order<Row> = (one: Row, other: Row) => number;

/** Compares texts or numbers, as the collation `C` does for ASCII. */
export function compare<Value extends string | number>(one: Value, other: Value): number {
  return one < other ? -1 : Number(one > other);
}

/** Compares texts by their bytes in UTF-8, as the collation `C` does. */
export function compareBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

/** Merges the lists of all cells. Drops duplicates, and the rows beyond the limit. */
export function merge<Row>(
  lists: readonly (readonly Row[])[],
  order: Order<Row>,
  limit = Number.POSITIVE_INFINITY,
): readonly Row[] {
  const rows = lists.flat().sort(order);
  const distinct = rows.filter((row, index) => {
    const previous = rows[index - 1];
    return previous === undefined || order(previous, row) !== 0;
  });
  return distinct.slice(0, limit);
}

/** Adds up numbers. */
export function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

/** Returns the earliest instant, or null if all are null. */
export function earliest(instants: readonly (number | null)[]): number | null {
  const known = instants.filter((at) => at !== null);
  return known.length === 0 ? null : Math.min(...known);
}

/**
 * Waits for all promises, then throws the first error. No statement is still running when the caller rolls back.
 */
export async function all<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  const settled = await Promise.allSettled(promises);
  return settled.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}
