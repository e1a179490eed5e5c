import { z } from 'zod';
import type { FormAnswers } from '../domain/application-form.js';
import { isEmailAddress } from '../domain/email-address.js';
import type { FieldErrorCode } from '../domain/field-error.js';
import { parseUrl } from '../domain/parse-url.js';
import { JOB_ID_MAX_LENGTH } from '../domain/submission.js';

/** Spec: Limits, rule 4. */
const NAME_MAX = 100;
const SOURCE_MAX = 100;
const SOURCE_ID_MAX = 128;
/** What an address can have at most in an SMTP path (RFC 5321, section 4.5.3.1.3). */
const EMAIL_MAX = 254;
/** E.164 has 15 digits; the rest is room for spaces, brackets and an extension. */
const PHONE_MAX = 64;

/** The codes of a value that is missing or of the wrong type; `null` counts as missing. */
const typeError = ({ input }: { readonly input?: unknown }): FieldErrorCode =>
  input === undefined || input === null ? 'required' : 'invalid_type';

/** What a refinement says about a value that it refuses. Nothing further is checked about the value then. */
function refusal(code: FieldErrorCode, message: string) {
  return { error: message, params: { code }, abort: true };
}

/** A rule, with what the API's description says of it: no more than the rule asks, formats apart. */
type Rule = (schema: z.ZodString) => z.ZodString;

const notEmpty: Rule = (schema) =>
  schema.refine((value) => value !== '', refusal('too_short', 'Must not be empty.')).meta({ minLength: 1 });
const notBlank: Rule = (schema) =>
  schema
    .refine((value) => value.trim() !== '', refusal('too_short', 'Must not be empty or blank.'))
    .meta({ minLength: 1, pattern: '\\S' });
const atMost =
  (max: number): Rule =>
  (schema) =>
    schema
      .refine((value) => hasAtMost(value, max), refusal('too_long', `At most ${max} characters.`))
      .meta({ maxLength: max });
const email: Rule = (schema) =>
  schema
    .refine(isEmailAddress, refusal('invalid_format', 'Not a valid e-mail address.'))
    .meta({ format: 'email' });
const fetchable: Rule = (schema) =>
  schema
    .refine(isFetchable, refusal('invalid_format', 'Must be an http or https URL without credentials.'))
    .meta({ format: 'uri' });

/** Text that keeps all of the rules, checked in their order. */
function text(...rules: readonly Rule[]): z.ZodString {
  return rules.reduce((schema, rule) => rule(schema), z.string({ error: typeError }));
}

const candidate = z
  .object(
    {
      firstName: text(notBlank, atMost(NAME_MAX)),
      lastName: text(notBlank, atMost(NAME_MAX)),
      email: text(atMost(EMAIL_MAX), email),
      phone: text(notBlank, atMost(PHONE_MAX)).describe(
        "E.164 is best. A national number is read as one of the job's country.",
      ),
    },
    { error: typeError },
  )
  .describe('The person who applies.');

const answers = z
  .custom<FormAnswers>(
    (value) => typeof value === 'object' && !Array.isArray(value),
    refusal('invalid_type', 'Must be an object of answers by question key.'),
  )
  .meta({ type: 'object', additionalProperties: true });

/**
 * The body of a submission: what can be said without knowing the job. Fields it does not name are dropped;
 * `null` for an optional field is absent. Spec: `POST /applications`, request body.
 */
export const submissionSchema = z
  .object(
    {
      jobId: text(notEmpty, atMost(JOB_ID_MAX_LENGTH)).describe('As `GET /jobs` gave it.'),
      candidate,
      consentToContact: z
        .boolean({ error: typeError })
        .refine(
          (consents) => consents,
          refusal('must_be_true', 'The candidate must consent to SMS and e-mail.'),
        )
        .meta({ enum: [true] })
        .describe('The candidate consents to SMS and e-mail. Must be `true`.'),
      source: text(atMost(SOURCE_MAX)).nullish().describe('A label of the upstream channel.'),
      sourceApplicationId: text(notEmpty, atMost(SOURCE_ID_MAX))
        .nullish()
        .describe('Your own identifier, unique among your submissions; it comes back in webhooks.'),
      applicationFormAnswers: answers
        .nullish()
        .describe("Answers by the `key` of the job's `applicationFormSchema`. An unknown key is refused."),
      resumeUrl: text(fetchable)
        .nullish()
        .describe(
          'An http or https URL without credentials, fetched after the reply. If that fails, the application stands.',
        ),
    },
    { error: (): FieldErrorCode => 'invalid_type' },
  )
  .describe('A candidate for a job. Optional fields may be null; unknown fields are ignored.');

/** Lengths count code points, as people count characters. */
function hasAtMost(text: string, max: number): boolean {
  if (text.length <= max) return true;
  return text.length <= 2 * max && [...text].length <= max;
}

/** The parser would forgive spaces and missing slashes; whoever fetches later might not. */
function isFetchable(text: string): boolean {
  const url = /^https?:\/\/\S+$/i.test(text) ? parseUrl(text) : null;
  return url !== null && url.username === '' && url.password === '';
}
