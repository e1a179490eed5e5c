/**
 * The row for each asked key, in the order of the keys, or null. Databases answer in an order of their own,
 * and once for a key that was asked twice.
 */
export function inOrder<Row, Value>(
  keys: readonly string[],
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  toValue: (row: Row) => Value,
): (Value | null)[] {
  const found = new Map(rows.map((row) => [keyOf(row), toValue(row)]));
  return keys.map((key) => found.get(key) ?? null);
}

/** A key of two parts. The first is an identifier and holds no space, so no two pairs share one. */
export function pairKey(first: string, second: string): string {
  return `${first} ${second}`;
}
