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

/** For each asked key its values, in the order they come in; none for a key that has none. */
export function listsOf<Value>(
  asked: readonly { readonly keyId: string }[],
  values: readonly Value[],
  keyOf: (value: Value) => string,
): (readonly Value[])[] {
  const lists = new Map<string, Value[]>(asked.map(({ keyId }) => [keyId, []]));
  for (const value of values) lists.get(keyOf(value))?.push(value);
  return asked.map(({ keyId }) => lists.get(keyId) ?? []);
}

/** A key of two parts. The first is an identifier and holds no space, so no two pairs share one. */
export function pairKey(first: string, second: string): string {
  return `${first} ${second}`;
}
