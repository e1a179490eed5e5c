import type { Json } from '../domain/application-form.js';
import type { FieldError } from '../domain/field-error.js';
import { isStorableText } from '../domain/text.js';

/** A body read as JSON, with the strings and numbers in it that no storage could keep. */
export type JsonReading =
  | { readonly kind: 'json'; readonly json: Json; readonly errors: readonly FieldError[] }
  /** Not JSON in UTF-8 without a byte order mark, or nested too deeply. */
  | { readonly kind: 'no_json' };

/** Far deeper than any form, and shallow enough for every recursion over it. */
export const MAX_NESTING = 32;
/** Longer paths are cut to the nearest ancestor: a field's name may be as long as the body. */
const MAX_PATH_LENGTH = 256;
/** The walk stops here; a body full of NULs would otherwise be answered with a far larger one. */
const MAX_ERRORS = 100;

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads a body as JSON. A NUL or a lone surrogate is refused wherever it stands, in names too: databases
 * differ on them. So is a number that is too large to be one.
 */
export function readJson(body: Uint8Array): JsonReading {
  const json = parse(body);
  if (json === undefined) return { kind: 'no_json' };
  const errors: FieldError[] = [];
  return walk(json, ROOT, errors) ? { kind: 'json', json, errors } : { kind: 'no_json' };
}

/** Where a value stands. Its path is put together only where something is wrong: most bodies need none. */
interface Place {
  readonly parent: Place | null;
  /** Null where the name itself cannot be stored: the path then ends at the parent. */
  readonly name: string | number | null;
  /** 1 for the body itself. */
  readonly depth: number;
}

const ROOT: Place = { parent: null, name: null, depth: 1 };

function parse(body: Uint8Array): Json | undefined {
  try {
    return JSON.parse(UTF_8.decode(body)) as Json;
  } catch {
    return undefined;
  }
}

/** Adds what is wrong at and below a value; false as soon as the nesting is too deep. */
function walk(value: Json, place: Place, errors: FieldError[]): boolean {
  if (typeof value === 'string') {
    if (!isStorableText(value)) report(errors, place, TEXT_ERROR);
    return true;
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) report(errors, place, NUMBER_ERROR);
    return true;
  }
  if (typeof value !== 'object' || value === null) return true;
  if (place.depth > MAX_NESTING) return false;
  return isArray(value) ? walkItems(value, place, errors) : walkFields(value, place, errors);
}

function walkItems(items: readonly Json[], place: Place, errors: FieldError[]): boolean {
  for (let index = 0; index < items.length; index += 1) {
    if (!walk(items[index] as Json, below(place, index), errors)) return false;
  }
  return true;
}

function walkFields(fields: { readonly [name: string]: Json }, place: Place, errors: FieldError[]): boolean {
  for (const name of Object.keys(fields)) {
    const isNamed = isStorableText(name);
    if (!isNamed) report(errors, place, TEXT_ERROR);
    if (!walk(fields[name] as Json, below(place, isNamed ? name : null), errors)) return false;
  }
  return true;
}

function below(parent: Place, name: string | number | null): Place {
  return { parent, name, depth: parent.depth + 1 };
}

/** `Array.isArray` does not tell a readonly array from an object. */
function isArray(value: object): value is readonly Json[] {
  return Array.isArray(value);
}

const TEXT_ERROR = {
  code: 'invalid_format',
  message: 'Text must not contain NUL or half of a surrogate pair.',
} as const;
const NUMBER_ERROR = { code: 'invalid_value', message: 'This number is too large.' } as const;

function report(errors: FieldError[], place: Place, error: Omit<FieldError, 'field'>): void {
  if (errors.length >= MAX_ERRORS) return;
  const field = pathOf(place);
  if (errors.at(-1)?.field !== field) errors.push({ field, ...error });
}

function pathOf({ parent, name }: Place): string {
  if (parent === null) return '';
  const path = pathOf(parent);
  if (name === null) return path;
  const joined = path === '' ? String(name) : `${path}.${name}`;
  return joined.length <= MAX_PATH_LENGTH ? joined : path;
}
