import type { LoggedField, LoggedFieldCode } from '@partner-hiring/core';

const FIELDS: Readonly<Record<LoggedField, string>> = {
  jobId: 'The id of the job',
  candidate: 'The candidate',
  'candidate.firstName': 'The first name',
  'candidate.lastName': 'The last name',
  'candidate.email': 'The e-mail address',
  'candidate.phone': 'The phone number',
  consentToContact: 'The consent to contact',
  source: 'The source',
  sourceApplicationId: "The sender's own id of the application",
  resumeUrl: 'The address of the résumé',
  applicationFormAnswers: 'The list of answers to the form',
  'applicationFormAnswers.*': 'An answer to the form',
  unknown_field: 'A field that the API does not know',
  body: 'The body',
  'Idempotency-Key': 'The header Idempotency-Key',
  updated_since: 'The parameter updated_since',
  company_id: 'The parameter company_id',
  status: 'The parameter status',
  cursor: 'The parameter cursor',
  limit: 'The parameter limit',
  url: 'The URL of the endpoint',
  retryNow: 'The field retryNow',
  overlapSeconds: 'The field overlapSeconds',
  since: 'The field since',
  state: 'The parameter state',
  eventId: 'The id of the event',
};

const PROBLEMS: Readonly<Record<LoggedFieldCode, string>> = {
  required: 'is missing',
  invalid_type: 'has the wrong type',
  invalid_format: 'has a wrong format',
  too_short: 'is too short',
  too_long: 'is too long',
  must_be_true: 'is not true',
  invalid_value: 'has a value that is not allowed',
  unknown_field: 'was sent',
  invalid_json: 'is not valid JSON',
  invalid_cursor: 'is not a cursor of this list',
  endpoint_status: 'answered the test event with an error',
  endpoint_timeout: 'did not answer the test event in time',
  endpoint_tls: 'has no valid certificate',
  endpoint_refused: 'could not be reached',
  no_endpoint: 'needs an endpoint, and the key has none',
  unknown_event: 'names no event of this key',
  paused_by_operator: 'cannot change while the platform has paused the endpoint',
  already_running: 'cannot start again while an earlier one runs',
};

/** Writes a failed field of the request log, such as `The phone number has a wrong format.` Null without a code. */
export function failedFieldText(entry: string): string | null {
  const [field = '', code] = entry.split(': ', 2);
  if (code === undefined) return null;
  const name = wordOf(FIELDS, field) ?? `The field ${field}`;
  return `${name} ${wordOf(PROBLEMS, code) ?? `failed with ${code}`}.`;
}

function wordOf(words: Readonly<Record<string, string>>, key: string): string | null {
  return Object.hasOwn(words, key) ? (words[key] ?? null) : null;
}
