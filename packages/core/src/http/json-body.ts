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
  return walk(json, '', 1, errors) ? { kind: 'json', json, errors } : { kind: 'no_json' };
}

function parse(body: Uint8Array): Json | undefined {
  try {
    return JSON.parse(UTF_8.decode(body)) as Json;
  } catch {
    return undefined;
  }
}

/** Adds what is wrong at and below a value; false as soon as the nesting is too deep. */
function walk(value: Json, path: string, depth: number, errors: FieldError[]): boolean {
  if (typeof value === 'string') {
    if (!isStorableText(value)) report(errors, path, TEXT_ERROR);
    return true;
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) report(errors, path, NUMBER_ERROR);
    return true;
  }
  if (typeof value !== 'object' || value === null) return true;
  if (depth > MAX_NESTING) return false;
  for (const [name, child] of Object.entries(value)) {
    const isNamed = isStorableText(name);
    if (!isNamed) report(errors, path, TEXT_ERROR);
    if (!walk(child, isNamed ? join(path, name) : path, depth + 1, errors)) return false;
  }
  return true;
}

const TEXT_ERROR = {
  code: 'invalid_format',
  message: 'Text must not contain NUL or half of a surrogate pair.',
} as const;
const NUMBER_ERROR = { code: 'invalid_value', message: 'This number is too large.' } as const;

function report(errors: FieldError[], field: string, error: Omit<FieldError, 'field'>): void {
  const isKnown = errors.at(-1)?.field === field;
  if (!isKnown && errors.length < MAX_ERRORS) errors.push({ field, ...error });
}

function join(path: string, name: string): string {
  const joined = path === '' ? name : `${path}.${name}`;
  return joined.length <= MAX_PATH_LENGTH ? joined : path;
}
