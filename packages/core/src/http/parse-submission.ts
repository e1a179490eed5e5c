import type { z } from 'zod';
import type { Json } from '../domain/application-form.js';
import type { FieldError, FieldErrorCode } from '../domain/field-error.js';
import { fingerprintBytes, fingerprintJson } from '../domain/idempotency.js';
import type { Submission } from '../domain/submission.js';
import { isStorableText, problemOfStorable } from '../domain/text.js';
import type { ParsedSubmission, SubmittedBody } from '../partner/partner-api.js';
import { IS_REQUIRED, submissionSchema } from './submission-schema.js';

export const MAX_NESTING = 32;
const MAX_PATH_LENGTH = 256;
/** Limits the size of the reply to a body with many errors. */
const MAX_ERRORS = 100;

export const LARGE_BODY_BYTES = 16 * 1024;

export const NO_JSON_ERRORS: readonly FieldError[] = [
  {
    field: '',
    code: 'invalid_json',
    message: `The body must be JSON in UTF-8, without a byte order mark, nested at most ${MAX_NESTING} levels deep.`,
  },
];

export function parseSubmission(body: Uint8Array): SubmittedBody {
  const document = readJson(body);
  return {
    fingerprint: fingerprintBytes(body),
    jsonFingerprint: document === null ? '' : fingerprintJson(document.json),
    isLarge: body.byteLength > LARGE_BODY_BYTES,
    parsed: checkFields(document),
  };
}

function checkFields(document: JsonDocument | null): ParsedSubmission {
  if (document === null) return { kind: 'invalid', errors: NO_JSON_ERRORS };
  const parsed = submissionSchema.safeParse(document.json);
  if (parsed.success && document.errors.length === 0) {
    return { kind: 'valid', submission: toSubmission(parsed.data) };
  }
  const found = parsed.success ? [] : parsed.error.issues.map(toFieldError);
  return { kind: 'invalid', errors: merge(document.errors, found) };
}

function toSubmission(body: z.output<typeof submissionSchema>): Submission {
  return {
    jobId: body.jobId,
    candidate: body.candidate,
    source: body.source ?? null,
    sourceApplicationId: body.sourceApplicationId ?? null,
    answers: body.applicationFormAnswers ?? {},
    resumeUrl: body.resumeUrl ?? null,
  };
}

function toFieldError(issue: z.core.$ZodIssue): FieldError {
  const field = issue.path.join('.');
  if (issue.code === 'custom') {
    return { field, code: issue.params?.code as FieldErrorCode, message: issue.message };
  }
  const { message } = issue;
  return { field, code: message === IS_REQUIRED ? 'required' : 'invalid_type', message };
}

function merge(first: readonly FieldError[], second: readonly FieldError[]): FieldError[] {
  const fields = new Set(first.map(({ field }) => field));
  return [...first, ...second.filter(({ field }) => !fields.has(field))];
}

interface JsonDocument {
  readonly json: Json;
  readonly errors: readonly FieldError[];
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Parses a body. Returns null if it is not JSON in UTF-8 or is nested too deeply. Reports an error for text
 * that a database would alter.
 */
function readJson(body: Uint8Array): JsonDocument | null {
  const json = parse(body);
  if (json === undefined) return null;
  const errors: FieldError[] = [];
  return walk(json, ROOT, errors) ? { json, errors } : null;
}

interface Position {
  readonly parent: Position | null;
  readonly name: string | number | null;
  readonly depth: number;
}

const ROOT: Position = { parent: null, name: null, depth: 1 };

function parse(body: Uint8Array): Json | undefined {
  try {
    return JSON.parse(UTF_8.decode(body)) as Json;
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
