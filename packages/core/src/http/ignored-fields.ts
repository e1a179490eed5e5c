import type { Json } from '../domain/application-form.js';
import { candidateSchema, submissionSchema } from './submission-schema.js';

/** The reply header of the sandbox. */
export const IGNORED_FIELDS_HEADER = 'X-Ignored-Fields';
const MOST_NAMES = 10;
const MOST_EDITS = 2;

const SUBMISSION_FIELDS = Object.keys(submissionSchema.shape);
const CANDIDATE_FIELDS = Object.keys(candidateSchema.shape);

/**
 * Returns the paths of at most ten unknown fields that look like mistyped known ones: one or two edits turn the name
 * into a known name. An edit inserts, removes or replaces a character.
 */
export function findIgnoredFields(body: Json): readonly string[] {
  const candidate = isObject(body) ? (body.candidate ?? null) : null;
  const ignored = [
    ...mistyped(body, SUBMISSION_FIELDS, ''),
    ...mistyped(candidate, CANDIDATE_FIELDS, 'candidate.'),
  ];
  return ignored.slice(0, MOST_NAMES);
}

/**
 * Joins the names with commas. Percent-encodes each name, because it may contain a comma or characters that a header
 * cannot contain.
 */
export function toHeaderValue(names: readonly string[]): string {
  return names.map((name) => encodeURIComponent(name.toWellFormed())).join(', ');
}

function mistyped(fields: Json, known: readonly string[], prefix: string): readonly string[] {
  if (!isObject(fields)) return [];
  const found: string[] = [];
  for (const name of Object.keys(fields)) {
    if (found.length === MOST_NAMES) break;
    if (known.includes(name)) continue;
    if (known.some((other) => isNear(name, other))) found.push(prefix + name);
  }
  return found;
}

function isObject(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Compares lengths first, so that a long name costs nothing. */
function isNear(name: string, known: string): boolean {
  return Math.abs(name.length - known.length) <= MOST_EDITS && editsBetween(name, known) <= MOST_EDITS;
}

/** The Levenshtein distance. */
function editsBetween(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let at = 0; at < left.length; at += 1) {
    const next = [at + 1];
    for (let index = 0; index < right.length; index += 1) {
      const replaced = (row[index] ?? 0) + (left.charAt(at) === right.charAt(index) ? 0 : 1);
      next.push(Math.min(replaced, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
