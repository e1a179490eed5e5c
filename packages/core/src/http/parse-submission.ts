import type { z } from 'zod';
import type { Json } from '../domain/application-form.js';
import type { FieldError, FieldErrorCode } from '../domain/field-error.js';
import { fingerprintBytes, fingerprintJson } from '../domain/idempotency.js';
import { isIdOf, type JobId } from '../domain/ids.js';
import type { Environment } from '../domain/partner-key.js';
import type { Submission } from '../domain/submission.js';
import type { ParsedSubmission, SubmittedBody } from '../partner/partner-api.js';
import { findIgnoredFields } from './ignored-fields.js';
import { type JsonDocument, type KnownFields, noJsonErrors, readJson } from './read-json.js';
import { candidateSchema, IS_REQUIRED, submissionSchema } from './submission-schema.js';

export const LARGE_BODY_BYTES = 16 * 1024;

const CANDIDATE_FIELDS = new Map(Object.keys(candidateSchema.shape).map((name) => [name, null]));
const KNOWN_FIELDS: KnownFields = new Map(
  Object.keys(submissionSchema.shape).map((name) => [name, name === 'candidate' ? CANDIDATE_FIELDS : null]),
);

/** A parsed body. `ignoredFields` are names that look mistyped. */
export interface ParsedBody {
  readonly submitted: SubmittedBody;
  /** The job that the body names, also if other fields are invalid. Undefined unless it has the form of an id. */
  readonly jobId: JobId | undefined;
  readonly ignoredFields: readonly string[];
}

/** Parses a body, and looks for mistyped fields: in the sandbox only, so that production does not pay for it. */
export function parseBody(body: Uint8Array, environment: Environment): ParsedBody {
  const document = readJson(body, KNOWN_FIELDS);
  const isSearched = environment === 'sandbox' && document.kind === 'json';
  return {
    submitted: toSubmitted(body, document),
    jobId: document.kind === 'json' ? jobIdOf(document.json) : undefined,
    ignoredFields: isSearched ? findIgnoredFields(document.json) : [],
  };
}

function jobIdOf(json: Json): JobId | undefined {
  if (typeof json !== 'object' || json === null || !('jobId' in json)) return undefined;
  const { jobId } = json;
  return typeof jobId === 'string' && isIdOf('job', jobId) ? jobId : undefined;
}

function toSubmitted(body: Uint8Array, document: JsonDocument): SubmittedBody {
  return {
    fingerprint: fingerprintBytes(body),
    jsonFingerprint: document.kind === 'json' ? fingerprintJson(document.json) : '',
    isLarge: body.byteLength > LARGE_BODY_BYTES,
    parsed: checkFields(document),
  };
}

function checkFields(document: JsonDocument): ParsedSubmission {
  if (document.kind === 'no_json') return { kind: 'invalid', errors: noJsonErrors(document.problem) };
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
    resumeUrl: body.resumeUrl === '' ? null : (body.resumeUrl ?? null),
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
