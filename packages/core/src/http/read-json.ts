import type { Json } from '../domain/application-form.js';
import type { FieldError } from '../domain/field-error.js';
import { isStorableText, problemOfStorable } from '../domain/text.js';

export const MAX_NESTING = 32;
const MAX_PATH_LENGTH = 256;
/** Limits the size of the reply to a body with many errors. */
const MAX_ERRORS = 100;

/**
 * A body as JSON, or why it is not JSON. `errors` are about text and numbers in known fields that a database or a
 * double would alter.
 */
export type JsonDocument =
  | { readonly kind: 'json'; readonly json: Json; readonly errors: readonly FieldError[] }
  | { readonly kind: 'no_json'; readonly problem: JsonProblem };

export type JsonProblem = keyof typeof PROBLEMS;

const PROBLEMS = {
  empty: 'It is empty.',
  broken_off: 'It ended before all of it arrived.',
  no_utf_8: 'It is not UTF-8.',
  byte_order_mark: 'It starts with a byte order mark.',
  no_json: 'It is not valid JSON.',
  nested_too_deep: 'It is nested deeper.',
};

/** The error of a body that is not JSON. It names the problem, but shows nothing of the body. */
export function noJsonErrors(problem: JsonProblem): readonly FieldError[] {
  const rule = `The body must be JSON in UTF-8, without a byte order mark, nested at most ${MAX_NESTING} levels deep.`;
  return [{ field: '', code: 'invalid_json', message: `${rule} ${PROBLEMS[problem]}` }];
}

/** The fields that an object may have. Null for a value that has no unknown fields. */
export type KnownFields = ReadonlyMap<string, KnownFields> | null;

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Parses a body. Ignores what unknown fields hold, unless they are nested too deep. */
export function readJson(body: Uint8Array, known: KnownFields): JsonDocument {
  if (body.byteLength === 0) return { kind: 'no_json', problem: 'empty' };
  const text = decode(body);
  if (text === null) return { kind: 'no_json', problem: 'no_utf_8' };
  const json = parse(text);
  if (json === undefined) {
    return { kind: 'no_json', problem: text.startsWith('\ufeff') ? 'byte_order_mark' : 'no_json' };
  }
  const errors = inspect(json, known, Number.MAX_SAFE_INTEGER);
  if (errors === null) return { kind: 'no_json', problem: 'nested_too_deep' };
  if (!errors.some(({ message }) => message === NUMBER_ERROR.message)) return { kind: 'json', json, errors };
  // The text says which of the large numbers are integers that a double has changed.
  const marked = parse(markInexact(text)) ?? json;
  return { kind: 'json', json, errors: inspect(marked, known, Number.MAX_VALUE) ?? [] };
}

/** Strings are matched so that digits in them are skipped. Decision 9. */
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;
const DIGITS = /^-?\d{16,309}$/;
const TOO_LARGE = '1e999';

/** Replaces each integer in digits alone that a double cannot hold by a number that `walk` refuses. */
function markInexact(text: string): string {
  return text.replaceAll(STRING_OR_NUMBER, (token) =>
    DIGITS.test(token) && Number.isFinite(Number(token)) && BigInt(token) !== BigInt(Number(token))
      ? TOO_LARGE
      : token,
  );
}

interface Found {
  readonly errors: FieldError[];
  /** Larger numbers are errors. */
  readonly largest: number;
}

/** Returns null for a value that is nested too deep. */
function inspect(json: Json, known: KnownFields, largest: number): readonly FieldError[] | null {
  const errors: FieldError[] = [];
  return walk(json, { parent: null, name: null, depth: 1, known }, { errors, largest }) ? errors : null;
}

interface Position {
  readonly parent: Position | null;
  readonly name: string | number | null;
  readonly depth: number;
  readonly known: KnownFields;
}

function decode(body: Uint8Array): string | null {
  try {
    return UTF_8.decode(body);
  } catch {
    return null;
  }
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** With null instead of `found`, only checks the nesting. */
function walk(value: Json, position: Position, found: Found | null): boolean {
  if (typeof value === 'string') {
    if (found !== null && !isStorableText(value)) report(found, position, textError(value));
    return true;
  }
  if (typeof value === 'number') {
    if (found !== null && Math.abs(value) > found.largest) report(found, position, NUMBER_ERROR);
    return true;
  }
  if (typeof value !== 'object' || value === null) return true;
  if (position.depth > MAX_NESTING) return false;
  return isArray(value) ? walkItems(value, position, found) : walkFields(value, position, found);
}

function walkItems(items: readonly Json[], position: Position, found: Found | null): boolean {
  for (let index = 0; index < items.length; index += 1) {
    if (!walk(items[index] as Json, below(position, index, null), found)) return false;
  }
  return true;
}

function walkFields(
  fields: { readonly [name: string]: Json },
  position: Position,
  found: Found | null,
): boolean {
  const { known } = position;
  for (const name of Object.keys(fields)) {
    const knownBelow = known === null ? null : known.get(name);
    const isKnown = knownBelow !== undefined;
    const isNamed = !isKnown || isStorableText(name);
    if (found !== null && !isNamed) report(found, position, textError(name));
    const next = below(position, isNamed ? name : null, knownBelow ?? null);
    if (!walk(fields[name] as Json, next, isKnown ? found : null)) return false;
  }
  return true;
}

function below(parent: Position, name: string | number | null, known: KnownFields): Position {
  return { parent, name, depth: parent.depth + 1, known };
}

/** `Array.isArray` does not narrow a readonly array. */
function isArray(value: object): value is readonly Json[] {
  return Array.isArray(value);
}

function textError(text: string): Omit<FieldError, 'field'> {
  return { code: 'invalid_format', message: problemOfStorable(text) };
}
const NUMBER_ERROR = {
  code: 'invalid_value',
  message: 'This number is too large to be stored exactly.',
} as const;

function report({ errors }: Found, position: Position, error: Omit<FieldError, 'field'>): void {
  if (errors.length >= MAX_ERRORS) return;
  const field = pathOf(position);
  if (errors.at(-1)?.field !== field) errors.push({ field, ...error });
}

function pathOf({ parent, name }: Position): string {
  if (parent === null) return '';
  const path = pathOf(parent);
  if (name === null) return path;
  const joined = path === '' ? String(name) : `${path}.${name}`;
  return joined.length <= MAX_PATH_LENGTH ? joined : path;
}
