import type { ManifestColumn, ManifestTables } from './schema-manifest.js';

/** One object that is not as the migrations created it. */
export interface Difference {
  readonly kind: 'missing' | 'changed' | 'extra';
  readonly what: 'table' | 'column' | 'constraint' | 'index';
  readonly table: string;
  /** The name within the table. Equals the table for a whole table. */
  readonly name: string;
  /** As the migrations create it. Null for an extra object. */
  readonly expected: ManifestColumn | string | null;
  /** As it is. Null for a missing object. */
  readonly found: ManifestColumn | string | null;
  /** Whether the statements of the library run anyway: for example, an additional index. */
  readonly isHarmless: boolean;
}

/** Returns how the tables of a database differ from those of a manifest. */
export function compareTables(expected: ManifestTables, found: ManifestTables): readonly Difference[] {
  return keysOf(expected, found).flatMap((table) => {
    const [ours, theirs] = [expected[table], found[table]];
    if (ours === undefined || theirs === undefined) return [wholeTable(table, ours === undefined)];
    return [
      ...differences(table, 'column', ours.columns, theirs.columns),
      ...differences(table, 'constraint', ours.constraints, theirs.constraints),
      ...differences(table, 'index', ours.indexes, theirs.indexes),
    ];
  });
}

function wholeTable(table: string, isExtra: boolean): Difference {
  return {
    kind: isExtra ? 'extra' : 'missing',
    what: 'table',
    table,
    name: table,
    expected: null,
    found: null,
    isHarmless: isExtra,
  };
}

function differences<Value extends ManifestColumn | string>(
  table: string,
  what: Exclude<Difference['what'], 'table'>,
  expected: Readonly<Record<string, Value>>,
  found: Readonly<Record<string, Value>>,
): readonly Difference[] {
  return keysOf(expected, found).flatMap((name) => {
    const [ours = null, theirs = null] = [expected[name], found[name]];
    if (describeObject(ours) === describeObject(theirs)) return [];
    const kind = ours === null ? 'extra' : theirs === null ? 'missing' : 'changed';
    const isHarmless = kind === 'extra' && isHarmlessExtra(what, theirs);
    return [{ kind, what, table, name, expected: ours, found: theirs, isHarmless }];
  });
}

/** An extra constraint, a unique index or a required column may refuse our rows. */
function isHarmlessExtra(what: Difference['what'], found: ManifestColumn | string | null): boolean {
  if (what === 'constraint' || found === null) return false;
  if (typeof found === 'string') return !/^create unique/i.test(found);
  return !found.notNull || found.default !== undefined || found.generated !== undefined;
}

/** Returns an object as text, such as `bigint not null default 0`. */
export function describeObject(object: ManifestColumn | string | null): string {
  if (object === null) return '';
  if (typeof object === 'string') return object;
  const { type, notNull, default: value, generated } = object;
  return [
    type,
    ...(notNull ? ['not null'] : []),
    ...(value === undefined ? [] : [`default ${value}`]),
    ...(generated === undefined ? [] : [`generated always as (${generated})`]),
  ].join(' ');
}

function keysOf(one: Readonly<Record<string, unknown>>, other: Readonly<Record<string, unknown>>) {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].sort();
}

/** Returns one line about a difference, such as `the index ph_job_x of ph_job is missing`. */
export function describeDifference({ kind, what, table, name, expected, found }: Difference): string {
  const object = what === 'table' ? `the table ${table}` : `the ${what} ${name} of ${table}`;
  if (kind === 'missing') return `${object} is missing`;
  if (kind === 'extra') return `${object} is not ours`;
  return `${object} is \`${describeObject(found)}\` instead of \`${describeObject(expected)}\``;
}
