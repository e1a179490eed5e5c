/** The fields of a type, each of which may be omitted. `undefined` means omitted. */
export type Optional<Fields> = { readonly [Name in keyof Fields]?: Fields[Name] | undefined };

/** Returns the given fields, and the default of each field that is omitted. */
export function withDefaults<Fields extends object>(
  defaults: Fields,
  given: Optional<Fields> | undefined,
): Fields {
  return { ...defaults, ...givenIn(given ?? {}) };
}

/** Returns the fields that are given. */
export function givenIn<Fields extends object>(fields: Optional<Fields>): Partial<Fields> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Partial<Fields>;
}

/** Returns whether a value is given: null counts as omitted, like `undefined`. */
export function isGiven<Value>(value: Value): value is NonNullable<Value> {
  return (value ?? undefined) !== undefined;
}

/** Joins objects into one. Of a field that several have, the last one counts. */
export function joinParts<Parts extends object>(parts: readonly (Parts | undefined)[]): Parts {
  return Object.assign({}, ...parts) as Parts;
}
