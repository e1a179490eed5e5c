import type { FieldError } from '../domain/field-error.js';
import { authorizationFault } from '../domain/partner-key.js';
import type { WireError } from '../errors.js';
import type { HttpRequest } from './message.js';
import type { AnsweredRequest } from './observer.js';
import type { Outcome } from './route.js';

type Answer = Pick<AnsweredRequest, 'code' | 'fields' | 'applicationId' | 'isReplay' | 'readRange'>;

const NO_FIELDS: readonly string[] = [];
const READ: Answer = {
  code: null,
  fields: NO_FIELDS,
  applicationId: null,
  isReplay: false,
  readRange: null,
};

/** Describes an outcome for the request log, without anything that the partner wrote. */
export function describeAnswer(outcome: Outcome, request: Pick<HttpRequest, 'headerValues'>): Answer {
  if (outcome.kind === 'refused') return describeError(outcome.error, request);
  if (outcome.submitted !== undefined) return { ...READ, ...outcome.submitted };
  return outcome.readRange === undefined ? READ : { ...READ, readRange: outcome.readRange };
}

function describeError(error: WireError, request: Pick<HttpRequest, 'headerValues'>): Answer {
  const { code } = error;
  switch (code) {
    case 'UNAUTHORIZED':
      return { ...READ, code, fields: [authorizationFault(request.headerValues('authorization'))] };
    case 'VALIDATION_ERROR':
      return { ...READ, code, fields: namesOf(error.details.errors) };
    case 'DUPLICATE_SOURCE_APPLICATION_ID':
      return { ...READ, code, applicationId: error.details.applicationId as Answer['applicationId'] };
    default:
      return { ...READ, code };
  }
}

const ANSWERS = 'applicationFormAnswers';

/** The names that may be stored. Any other name was written by the partner, so it may be personal data. */
const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  'jobId',
  'consentToContact',
  'source',
  'sourceApplicationId',
  ANSWERS,
  'resumeUrl',
  'candidate',
  'candidate.firstName',
  'candidate.lastName',
  'candidate.email',
  'candidate.phone',
  'updated_since',
  'cursor',
  'limit',
  'company_id',
  'status',
  'Idempotency-Key',
]);

function namesOf(errors: readonly FieldError[]): readonly string[] {
  return [...new Set(errors.map(({ field }) => nameOf(field)))];
}

function nameOf(field: string): string {
  if (field === '') return 'body';
  if (KNOWN_FIELDS.has(field)) return field;
  return field.startsWith(`${ANSWERS}.`) ? `${ANSWERS}.*` : 'unknown_field';
}
