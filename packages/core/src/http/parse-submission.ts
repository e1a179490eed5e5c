import type { z } from 'zod';
import type { FieldError, FieldErrorCode } from '../domain/field-error.js';
import { fingerprintBytes, fingerprintJson } from '../domain/idempotency.js';
import type { Submission } from '../domain/submission.js';
import type { ParsedSubmission, SubmittedBody } from '../partner/partner-api.js';
import { type JsonReading, MAX_NESTING, readJson } from './json-body.js';
import { submissionSchema } from './submission-schema.js';

/** What a body that is no JSON gets. */
export const NO_JSON_ERRORS: readonly FieldError[] = [
  {
    field: '',
    code: 'invalid_json',
    message: `The body must be JSON in UTF-8, without a byte order mark, nested at most ${MAX_NESTING} levels deep.`,
  },
];

/** Of the codes that a schema gives without a message of its own. */
const MESSAGES: Partial<Record<FieldErrorCode, string>> = {
  required: 'This field is required.',
  invalid_type: 'This has the wrong type.',
};

/** More than a candidate and a long form take. */
export const LARGE_BODY_BYTES = 16 * 1024;

/** Reads a body as a submission, or finds everything that is wrong with it at once. Errors never echo a value. */
export function parseSubmission(body: Uint8Array): SubmittedBody {
  const reading = readJson(body);
  return {
    fingerprint: fingerprintBytes(body),
    jsonFingerprint: reading.kind === 'json' ? fingerprintJson(reading.json) : '',
    isLarge: body.byteLength > LARGE_BODY_BYTES,
    parsed: checkFields(reading),
  };
}

function checkFields(reading: JsonReading): ParsedSubmission {
  if (reading.kind === 'no_json') return { kind: 'invalid', errors: NO_JSON_ERRORS };
  const parsed = submissionSchema.safeParse(reading.json);
  if (parsed.success && reading.errors.length === 0) {
    return { kind: 'valid', submission: toSubmission(parsed.data) };
  }
  const found = parsed.success ? [] : parsed.error.issues.map(toFieldError);
  return { kind: 'invalid', errors: merge(reading.errors, found) };
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

/** A refinement names its code beside its message; a type error is the code itself. */
function toFieldError(issue: z.core.$ZodIssue): FieldError {
  const field = issue.path.join('.');
  if (issue.code === 'custom') {
    return { field, code: issue.params?.code as FieldErrorCode, message: issue.message };
  }
  const code = issue.message as FieldErrorCode;
  return { field, code, message: MESSAGES[code] ?? 'This is not valid.' };
}

/** One error a field: text that cannot be stored is wrong whatever else it is. */
function merge(first: readonly FieldError[], second: readonly FieldError[]): FieldError[] {
  const fields = new Set(first.map(({ field }) => field));
  return [...first, ...second.filter(({ field }) => !fields.has(field))];
}
