import {
  fieldEntry,
  LOGGED_FIELDS,
  type LoggedField,
  MOST_LOGGED_FIELDS,
} from '../domain/answered-request.js';
import type { FieldError } from '../domain/field-error.js';
import { authorizationFault } from '../domain/partner-key.js';
import type { WireError } from '../errors.js';
import type { HttpRequest } from './message.js';
import type { AnsweredRequest } from './observer.js';
import type { Outcome } from './route.js';

type Answer = Pick<
  AnsweredRequest,
  'code' | 'fields' | 'applicationId' | 'jobId' | 'isReplay' | 'readRange' | 'listedBy'
>;

const NO_FIELDS: readonly string[] = [];
const READ: Answer = {
  code: null,
  fields: NO_FIELDS,
  applicationId: null,
  jobId: null,
  isReplay: false,
  readRange: null,
  listedBy: null,
};

/** Describes an outcome for the request log, without anything that the partner wrote. */
export function describeAnswer(outcome: Outcome, request: Pick<HttpRequest, 'headerValues'>): Answer {
  if (outcome.kind === 'refused') {
    const answer = describeError(outcome.error, request);
    return outcome.jobId === undefined ? answer : { ...answer, jobId: outcome.jobId };
  }
  if (outcome.submitted !== undefined) return { ...READ, ...outcome.submitted };
  const { readRange = null, listedBy = null } = outcome;
  return readRange === null && listedBy === null ? READ : { ...READ, readRange, listedBy };
}

function describeError(error: WireError, request: Pick<HttpRequest, 'headerValues'>): Answer {
  const { code } = error;
  switch (code) {
    case 'UNAUTHORIZED':
      return { ...READ, code, fields: [authorizationFault(request.headerValues('authorization'))] };
    case 'VALIDATION_ERROR':
      return { ...READ, code, fields: entriesOf(error.details.errors) };
    case 'DUPLICATE_SOURCE_APPLICATION_ID':
      return { ...READ, code, applicationId: error.details.applicationId as Answer['applicationId'] };
    default:
      return { ...READ, code };
  }
}

const ANSWERS = 'applicationFormAnswers';

const KNOWN_FIELDS: ReadonlySet<string> = new Set(LOGGED_FIELDS);

function entriesOf(errors: readonly FieldError[]): readonly string[] {
  const entries = new Set<string>();
  for (const { field, code } of errors) {
    if (entries.size === MOST_LOGGED_FIELDS) break;
    entries.add(fieldEntry(loggedField(field), code));
  }
  return [...entries];
}

function loggedField(field: string): LoggedField {
  if (field === '') return 'body';
  if (isKnown(field)) return field;
  return field.startsWith(`${ANSWERS}.`) ? `${ANSWERS}.*` : 'unknown_field';
}

function isKnown(field: string): field is LoggedField {
  return KNOWN_FIELDS.has(field);
}
