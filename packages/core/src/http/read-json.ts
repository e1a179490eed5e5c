import type { Json } from '../domain/application-form.js';
import type { FieldError } from '../domain/field-error.js';
import { isStorableText, problemOfStorable } from '../domain/text.js';

export const MAX_NESTING = 32;
const MAX_PATH_LENGTH = 256;
/** Limits the size of the reply to a body with many errors. */
const MAX_ERRORS = 100;

/** A body as JSON, or why it is not JSON. `errors` are about text and numbers that a database would alter. */
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

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Parses a body. */
export function readJson(body: Uint8Array): JsonDocument {
  if (body.byteLength === 0) return { kind: 'no_json', problem: 'empty' };
  const text = decode(body);
  if (text === null) return { kind: 'no_json', problem: 'no_utf_8' };
  const json = parse(text);
  if (json === undefined) {
    return { kind: 'no_json', problem: text.startsWith('\ufeff') ? 'byte_order_mark' : 'no_json' };
  }
  const errors: FieldError[] = [];
  if (!walk(json, ROOT, errors)) return { kind: 'no_json', problem: 'nested_too_deep' };
  return { kind: 'json', json, errors };
}

interface Position {
  readonly parent: Position | null;
  readonly name: string | number | null;
  readonly depth: number;
}

const ROOT: Position = { parent: null, name: null, depth: 1 };

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

function walk(value: Json, position: Position, errors: FieldError[]): boolean {
  if (typeof value === 'string') {
    if (!isStorableText(value)) report(errors, position, textError(value));
    return true;
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) report(errors, position, NUMBER_ERROR);
    return true;
  }
  if (typeof value !== 'object' || value === null) return true;
  if (position.depth > MAX_NESTING) return false;
  return isArray(value) ? walkItems(value, position, errors) : walkFields(value, position, errors);
}

function walkItems(items: readonly Json[], position: Position, errors: FieldError[]): boolean {
  for (let index = 0; index < items.length; index += 1) {
    if (!walk(items[index] as Json, below(position, index), errors)) return false;
  }
  return true;
}

function walkFields(
  fields: { readonly [name: string]: Json },
  position: Position,
  errors: FieldError[],
): boolean {
  for (const name of Object.keys(fields)) {
    const isNamed = isStorableText(name);
    if (!isNamed) report(errors, position, textError(name));
    if (!walk(fields[name] as Json, below(position, isNamed ? name : null), errors)) return false;
  }
  return true;
}

function below(parent: Position, name: string | number | null): Position {
  return { parent, name, depth: parent.depth + 1 };
}

/** `Array.isArray` does not narrow a readonly array. */
function isArray(value: object): value is readonly Json[] {
  return Array.isArray(value);
}

function textError(text: string): Omit<FieldError, 'field'> {
  return { code: 'invalid_format', message: problemOfStorable(text) };
}
const NUMBER_ERROR = { code: 'invalid_value', message: 'This number is too large.' } as const;

function report(errors: FieldError[], position: Position, error: Omit<FieldError, 'field'>): void {
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
