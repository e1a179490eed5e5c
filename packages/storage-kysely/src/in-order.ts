/** Returns one value per key, in the order of the keys, or null if the key has no row. */
export function inOrder<Row, Value>(
  keys: readonly string[],
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  toValue: (row: Row) => Value,
): (Value | null)[] {
  const found = new Map(rows.map((row) => [keyOf(row), toValue(row)]));
  return keys.map((key) => found.get(key) ?? null);
}

export function listsOf<Value>(
  asked: readonly { readonly keyId: string }[],
  values: readonly Value[],
  keyOf: (value: Value) => string,
): (readonly Value[])[] {
  const lists = new Map<string, Value[]>(asked.map(({ keyId }) => [keyId, []]));
  for (const value of values) lists.get(keyOf(value))?.push(value);
  return asked.map(({ keyId }) => lists.get(keyId) ?? []);
}

/** Joins two strings into a unique map key. The first is an identifier without spaces. */
export function pairKey(first: string, second: string): string {
  return `${first} ${second}`;
}
