import type { Generated, GeneratedAlways } from 'kysely';
import { createMapping, type MappedField } from './mapping.js';
import type { TableRows } from './table-rows.js';

/** The type of a column's values in the JSON of a batch. */
export type ColumnKind = 'text' | 'integer' | 'real';

/** The columns of a batch's items and their types, in the order of the insert. */
export type TableColumns<Item> = { readonly [Name in keyof Item & string]: ColumnKind };

/** A boolean, stored as 1 or 0 in every database. */
export type Flag = 0 | 1;

/**
 * The source of a column's value in a new row. `insert`: the insert. `default`: the database, unless the insert has a
 * value. `generated`: always the database.
 */
type Filling = 'insert' | 'default' | 'generated';

interface ColumnParts<Stored, Value, Path extends string | null, From, By extends Filling> {
  readonly kind: ColumnKind;
  readonly isNullable: boolean;
  /**
   * The path of the column's field in a value of the domain, such as `location.city`. Empty if the field has the
   * column's name in camel case. Null if the domain has no field for the column.
   */
  readonly path: Path;
  /** Null if the field is stored as it is. */
  readonly encode: ((value: Value) => Stored) | null;
  readonly decode: ((stored: Stored) => Value) | null;
  /** Computes the column from the whole value. Null for other columns. */
  readonly derive: ((from: From) => Value) | null;
  readonly by: By;
}

/** How a column is stored, and where a value of the domain has it. */
export interface TableColumn<
  Stored,
  Value = Stored,
  Path extends string | null = '',
  From = never,
  By extends Filling = 'insert',
> extends ColumnParts<Stored, Value, Path, From, By> {
  orNull(): TableColumn<Stored | null, Value | null, Path>;
  /** Names the field, with a dot before each field of an inner object. */
  at<To extends string>(path: To): TableColumn<Stored, Value, To>;
  /** Converts between the stored value and the field. */
  as<To>(convert: {
    readonly encode: (value: To) => Stored;
    readonly decode: (stored: Stored) => To;
  }): TableColumn<Stored, To, Path>;
  /** The domain has no field for the column. An insert that sets the column passes its value separately. */
  hidden(): TableColumn<Stored, Value, null>;
  /** The domain has no field for the column. It is computed from the whole value of the domain, and never read back. */
  derived<Whole>(derive: (value: Whole) => Value): TableColumn<Stored, Value, null, Whole>;
  /** The database fills the column of a new row unless the insert does. */
  withDefault(): TableColumn<Stored, Value, Path, never, 'default'>;
  /** Only the database fills the column. */
  generated(): TableColumn<Stored, Value, null, never, 'generated'>;
}

interface AnyColumn {
  readonly kind: ColumnKind;
  readonly isNullable: boolean;
  readonly path: string | null;
  readonly encode: ((value: never) => unknown) | null;
  readonly decode: ((stored: never) => unknown) | null;
  readonly derive: ((from: never) => unknown) | null;
  readonly by: Filling;
}

function column<Stored, Value, Path extends string | null, From, By extends Filling>(
  parts: ColumnParts<Stored, Value, Path, From, By>,
): TableColumn<Stored, Value, Path, From, By> {
  const plain = { ...parts, derive: null, by: 'insert' } as const;
  return {
    ...parts,
    orNull: () =>
      column({
        ...plain,
        isNullable: true,
        encode: unlessNull(parts.encode),
        decode: unlessNull(parts.decode),
      }),
    at: (path) => column({ ...plain, path }),
    as: ({ encode, decode }) => column({ ...plain, encode, decode }),
    hidden: () => column({ ...plain, path: null }),
    derived: (derive) => column({ ...plain, path: null, derive }),
    withDefault: () => column({ ...plain, by: 'default' }),
    generated: () => column({ ...plain, path: null, by: 'generated' }),
  };
}

function unlessNull<From, To>(convert: ((from: From) => To) | null) {
  if (convert === null) return null;
  return (from: From | null): To | null => (from === null ? null : convert(from));
}

function storedAsItIs<Value>(kind: ColumnKind): TableColumn<Value> {
  return column({
    kind,
    isNullable: false,
    path: '',
    encode: null,
    decode: null,
    derive: null,
    by: 'insert',
  });
}

export const textColumn = () => storedAsItIs<string>('text');
export const idColumn = <Value extends string>() => storedAsItIs<Value>('text');
/** One of a few texts. */
export const choiceColumn = <Value extends string>() => storedAsItIs<Value>('text');
/** Milliseconds since 1970. */
export const instantColumn = () => storedAsItIs<number>('integer');
export const integerColumn = () => storedAsItIs<number>('integer');
export const decimal = () => storedAsItIs<number>('real');
export const flagColumn = () =>
  storedAsItIs<Flag>('integer').as<boolean>({
    encode: (value) => (value ? 1 : 0),
    decode: (stored) => stored === 1,
  });
/** A value as JSON text. */
export const json = <Value>() =>
  storedAsItIs<string>('text').as<Value>({
    encode: (value) => JSON.stringify(value),
    decode: (stored) => JSON.parse(stored) as Value,
  });

/** The columns of a worker's lease on a row. `lease_until` is 0 if no worker holds it. */
export const LEASE = { lease_token: textColumn().orNull().hidden(), lease_until: instantColumn().hidden() };

export type TableShape = Readonly<Record<string, AnyColumn>>;

type StoredOf<C> =
  C extends TableColumn<infer Stored, infer _V, infer _P, infer _F, infer _B> ? Stored : never;
type ValueOf<C> = C extends TableColumn<infer _S, infer Value, infer _P, infer _F, infer _B> ? Value : never;
type WholeOf<C> = C extends TableColumn<infer _S, infer _V, infer _P, infer Whole, infer _B> ? Whole : never;
type FillingOf<C extends AnyColumn> = C['by'];

/** A row as a query returns it. */
export type RowOf<S extends TableShape> = { [Name in keyof S & string]: StoredOf<S[Name]> };

/** A row of a table. */
export type Row<T extends { readonly shape: TableShape }> = RowOf<T['shape']>;

/** The table in Kysely's schema. */
export type SchemaOf<S extends TableShape> = {
  [Name in keyof S & string]: FillingOf<S[Name]> extends 'default'
    ? Generated<StoredOf<S[Name]>>
    : FillingOf<S[Name]> extends 'generated'
      ? GeneratedAlways<StoredOf<S[Name]>>
      : StoredOf<S[Name]>;
};

type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;

type PathOf<Name extends string, Path extends string | null> = Path extends ''
  ? Camel<Name>
  : Path extends string
    ? Path
    : never;

type Fields<S extends TableShape> = {
  [Name in keyof S & string as PathOf<Name, S[Name]['path']>]: ValueOf<S[Name]>;
};

type Below<Flat, Head extends string> = {
  [Path in keyof Flat & string as Path extends `${Head}.${infer Tail}` ? Tail : never]: Flat[Path];
};

/** Makes inner objects of the paths with dots. */
type Nest<Flat> = {
  readonly [Path in keyof Flat & string as Path extends `${infer Head}.${string}`
    ? Head
    : Path]: Path extends `${infer Head}.${string}` ? Nest<Below<Flat, Head>> : Flat[Path];
};

/** The values that the derived columns need. */
type Wholes<S extends TableShape> = {
  [Name in keyof S]: (whole: [WholeOf<S[Name]>] extends [never] ? unknown : WholeOf<S[Name]>) => void;
}[keyof S] extends (whole: infer All) => void
  ? All
  : never;

/** The columns that are computed from a value of the domain. */
export type WrittenRow<S extends TableShape> = {
  [Name in keyof S & string as S[Name]['path'] extends null
    ? [WholeOf<S[Name]>] extends [never]
      ? never
      : Name
    : Name]: StoredOf<S[Name]>;
};

/** One table, or some of its columns. */
export interface Table<Name extends string, S extends TableShape, Value> {
  readonly name: Name;
  readonly rows: TableRows;
  readonly shape: S;
  readonly columns: TableColumns<RowOf<S>>;
  /** Returns the columns that are computed from the value. */
  readonly toRow: (value: Nest<Fields<S>> & Wholes<S>) => WrittenRow<S>;
  readonly toValue: (row: RowOf<S>) => Value;
  /** Returns the same table with only these columns and their fields. */
  pick<Some extends keyof S & string>(
    ...names: readonly Some[]
  ): Table<Name, Pick<S, Some>, Nest<Fields<Pick<S, Some>>>>;
  omit<Some extends keyof S & string>(
    ...names: readonly Some[]
  ): Table<Name, Omit<S, Some>, Nest<Fields<Omit<S, Some>>>>;
}

/**
 * Describes a table, with the columns in the order of inserts. The columns determine the row's type and the conversions
 * between rows and values of the domain.
 * @param computed - fields of the domain that need several columns. They replace the fields of these columns.
 */
export function table<Name extends string, S extends TableShape, C extends object = object>(
  name: Name,
  rows: TableRows,
  shape: S,
  computed?: { readonly [Field in keyof C]: (row: RowOf<S>) => C[Field] },
): Table<Name, S, Omit<Nest<Fields<S>>, keyof C> & Readonly<C>> {
  const names = Object.keys(shape);
  const pick = (...some: readonly string[]) =>
    table(name, rows, Object.fromEntries(some.map((each) => [each, shape[each]])) as TableShape);
  const omit = (...some: readonly string[]) => pick(...names.filter((each) => !some.includes(each)));
  return {
    name,
    rows,
    shape,
    columns: Object.fromEntries(names.map((each) => [each, shape[each]?.kind])) as TableColumns<RowOf<S>>,
    toRow: rowWriter(shape) as never,
    toValue: valueReader(shape, computed ?? {}) as never,
    pick: pick as never,
    omit: omit as never,
  };
}

function rowWriter(shape: TableShape): (value: never) => unknown {
  return createMapping(
    Object.entries(shape).flatMap(([name, each]): MappedField[] => {
      if (each.derive === null) {
        return each.path === null ? [] : [{ name, path: pathOf(name, each.path), convert: each.encode }];
      }
      const { derive, encode } = each;
      return [{ name, whole: encode === null ? derive : (value) => encode(derive(value) as never) }];
    }),
  );
}

function valueReader(shape: TableShape, computed: object): (row: never) => unknown {
  const stored = Object.entries(shape)
    .filter(([, { path }]) => path !== null)
    .map(([name, { path, decode }]) => ({
      path: pathOf(name, path ?? ''),
      field: { path: [name], convert: decode },
    }))
    .filter(({ path: [head = ''] }) => !(head in computed));
  const fields = Object.entries<(row: never) => unknown>(computed as never).map(([name, whole]) => ({
    name,
    whole,
  }));
  return createMapping([...nest(stored), ...fields]);
}

interface StoredField {
  readonly path: readonly string[];
  readonly field: Omit<Extract<MappedField, { readonly convert: unknown }>, 'name'>;
}

/** Makes inner objects of the paths with several names. */
function nest(stored: readonly StoredField[]): MappedField[] {
  const names = [...new Set(stored.map(({ path }) => path[0] ?? ''))];
  return names.map((name) => {
    const below = stored.filter(({ path }) => path[0] === name);
    const [only] = below;
    if (only?.path.length === 1) return { name, ...only.field };
    return { name, fields: nest(below.map(({ path, field }) => ({ path: path.slice(1), field }))) };
  });
}

function pathOf(name: string, path: string): readonly string[] {
  return path === '' ? [name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())] : path.split('.');
}
