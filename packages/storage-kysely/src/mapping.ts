import { isAnyError } from './is-error.js';

type Convert = (value: never) => unknown;
type Source = Readonly<Record<string, unknown>>;

/** A field of the object that a mapping makes. */
export type MappedField = { readonly name: string } & (
  | { readonly path: readonly string[]; readonly convert: Convert | null }
  | { readonly whole: Convert }
  | { readonly fields: readonly MappedField[] }
);

/**
 * Returns a function that makes an object with these fields. It is generated as JavaScript when it first runs: of all
 * processor time of a request on SQLite, this saves 6 % for a page of 50 jobs, 4 % for one of applications and 3 % for a
 * submission, against the fastest loop over the fields. A process that disallows generated code gets a loop.
 */
export function createMapping(fields: readonly MappedField[], compile = compileFunction): Convert {
  let map: Convert = (source) => {
    map = generate(fields, compile) ?? interpret(fields);
    return map(source);
  };
  return (source) => map(source);
}

/** Returns null if the process disallows generated code. */
function generate(fields: readonly MappedField[], compile: typeof compileFunction): Convert | null {
  const functions: Convert[] = [];
  const text = literalOf(fields, functions);
  try {
    return compile(`return (source) => (${text});`)(functions);
  } catch (error) {
    if (isAnyError(error) && error.name === 'EvalError') return null;
    throw error;
  }
}

function compileFunction(body: string): (functions: readonly Convert[]) => Convert {
  return new Function('functions', body) as (functions: readonly Convert[]) => Convert;
}

function literalOf(fields: readonly MappedField[], functions: Convert[]): string {
  const call = (convert: Convert, value: string) => `functions[${functions.push(convert) - 1}](${value})`;
  const partOf = (field: MappedField): string => {
    if ('fields' in field) return literalOf(field.fields, functions);
    if ('whole' in field) return call(field.whole, 'source');
    const value = `source${field.path.map((name) => `[${JSON.stringify(name)}]`).join('')}`;
    return field.convert === null ? value : call(field.convert, value);
  };
  return `{ ${fields.map((field) => `${JSON.stringify(field.name)}: ${partOf(field)}`).join(', ')} }`;
}

function interpret(fields: readonly MappedField[]): Convert {
  const steps = fields.map((field) => [field.name, readerOf(field)] as const);
  return (source) => Object.fromEntries(steps.map(([name, read]) => [name, read(source)]));
}

function readerOf(field: MappedField): Convert {
  if ('fields' in field) return interpret(field.fields);
  if ('whole' in field) return field.whole;
  const { path, convert } = field;
  const read = (source: Source): unknown =>
    path.reduce<unknown>((value, name) => (value as Source)[name], source);
  return convert === null ? read : (source: Source) => convert(read(source) as never);
}

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
