/** A table, or a part of one. */
export interface SchemaObject {
  readonly what: 'table' | 'column' | 'constraint' | 'index' | 'trigger';
  readonly table: string;
  /** The name within the table. Equals the table for a whole table. */
  readonly name: string;
  /** As SQL without the schema, such as `bigint not null default 0`. */
  readonly definition: string;
  /**
   * Whether the library's statements still work if the host has added the object, such as an index that is not unique.
   */
  readonly isHarmless: boolean;
}

/** One object that is not as the migrations create it. */
export interface Difference extends Omit<SchemaObject, 'definition'> {
  /** As the migrations create it. Null for an additional object. */
  readonly expected: string | null;
  /** As it is. Null for a missing object. */
  readonly found: string | null;
}

/**
 * Returns how the objects of a database differ from those of new tables, by table. If a whole table is missing or
 * unknown, does not list its parts.
 */
export function compareSchemas(
  expected: readonly SchemaObject[],
  found: readonly SchemaObject[],
): readonly Difference[] {
  const ours = byKey(expected);
  const theirs = byKey(found);
  const differences = [...new Map([...theirs, ...ours])].flatMap(([key, object]) => {
    const made = ours.get(key)?.definition ?? null;
    const is = theirs.get(key)?.definition ?? null;
    if (made === is) return [];
    return [{ ...object, isHarmless: made === null && object.isHarmless, expected: made, found: is }];
  });
  const whole = new Set(differences.filter(isWhole).map(({ table }) => table));
  return differences
    .filter((each) => isWhole(each) || !whole.has(each.table))
    .sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
}

function isWhole({ what, expected, found }: Difference): boolean {
  return what === 'table' && (expected === null || found === null);
}

function byKey(objects: readonly SchemaObject[]): ReadonlyMap<string, SchemaObject> {
  return new Map(objects.map((object) => [`${object.what} ${object.table}.${object.name}`, object]));
}

function sortKey({ table, what, name }: Difference): string {
  return `${table} ${what} ${name}`;
}

/** Returns one line about a difference, such as `the index ph_job_x of ph_job is missing: create index …`. */
export function describeDifference({ what, table, name, expected, found }: Difference): string {
  const object = what === 'table' ? `the table ${table}` : `the ${what} ${name} of ${table}`;
  if (expected === null) return `${object} is not ours`;
  if (found === null) return `${object} is missing${what === 'table' ? '' : `: \`${expected}\``}`;
  return `${object} is \`${found}\` instead of \`${expected}\``;
}
