import { explainRefusal, type RequestRefusal } from '../../domain/wire-errors.js';

const UNKNOWN: RequestRefusal = {
  rule: 'The request was refused.',
  fix: 'Look the code up in the documentation.',
};

/** Explains the error code of a request to its partner. Null for a request that succeeded. */
export function ownRefusalOf(code: string | null): RequestRefusal | null {
  if (code === null) return null;
  return explainRefusal(code, 'partner') ?? UNKNOWN;
}

const DATE_TIME = 'Send a date and a time with an offset or Z, such as `2026-01-31T09:30:00Z`.';
const FORM_ANSWERS = "Send each answer in the form that the job's `applicationFormSchema` describes.";

/** How to correct a field, by the entry of the request log: the field and the code. A field alone stands for its other codes. */
const HINTS: Readonly<Record<string, string>> = {
  'candidate.email': 'Send one e-mail address with a valid domain name, such as `sam@example.org`.',
  'candidate.phone':
    "Send the number with `+` and the country code, such as `+442071838750`, without an extension. Without a country code, it must be valid in the job's country.",
  'candidate.firstName':
    'Send text with a visible character, on one line. For a person with one name, send `-` as the first name.',
  'candidate.lastName': 'Send text with a visible character, on one line.',
  consentToContact: 'Ask the candidate, then send `true`. Without consent, do not submit the candidate.',
  resumeUrl:
    'Send an https URL without a user name, such as `https://files.example.org/cv.pdf`, or leave the field out.',
  sourceApplicationId: 'Send your own id of the application as text, or leave the field out.',
  applicationFormAnswers: FORM_ANSWERS,
  'applicationFormAnswers.*': FORM_ANSWERS,
  'applicationFormAnswers.*: required':
    'The job asks a question that must be answered. `applicationFormSchema` has it.',
  jobId: 'Send the `id` of a job from `GET /jobs`.',
  body: 'Send one JSON object in UTF-8.',
  'Idempotency-Key':
    'Send a new UUID v4, such as `0b5f3f0e-7c1d-4b6a-9f35-2c1f6d1f9a11`, with each submission.',
  updated_since: DATE_TIME,
  since: DATE_TIME,
  cursor: 'Send the `next_cursor` of the last page with the same filters, or start again without a cursor.',
  limit: 'Send a whole number from 1 to 200.',
};

/** Says how to correct each invalid field, in words for the partner. */
export function ownHintsOf(fields: readonly string[]): readonly string[] {
  const hints: Readonly<Record<string, string | undefined>> = HINTS;
  const found = fields.flatMap((entry) => hints[entry] ?? hints[entry.split(': ', 1).join('')] ?? []);
  return [...new Set(found)];
}
