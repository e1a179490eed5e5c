import * as z from 'zod';
import type { FormAnswers } from '../domain/application-form.js';
import {
  EMAIL_LOCAL_PART_MAX,
  hasShortLocalPart,
  problemOfEmail,
  trimEmail,
} from '../domain/email-address.js';
import type { FieldErrorCode } from '../domain/field-error.js';
import { JOB_ID_MAX_LENGTH } from '../domain/submission.js';
import {
  AROUND_NAME,
  AROUND_PHONE,
  barePhone,
  hasAtMost,
  hasVisibleCharacter,
  isPlainLine,
  problemOfLine,
  trimName,
} from '../domain/text.js';
import { encodeBlanks, problemOfLink } from '../domain/web-link.js';

/** Contract: 6.3, 6.7, 6.8. */
const NAME_MAX = 100;
const SOURCE_MAX = 100;
export const SOURCE_ID_MAX = 128;
/** The longest address in an SMTP path (RFC 5321, section 4.5.3.1.3). */
const EMAIL_MAX = 254;
const PHONE_MAX = 64;

const NOT_PLAIN = '\\u0000-\\u001F\\u007F-\\u009F\\u202A-\\u202E\\u2066-\\u2069';
const LINE = `^[^${NOT_PLAIN}]*$`;
/** White space around a name does not count. */
const NAME = `^[${AROUND_NAME}]*[^\\s${NOT_PLAIN}](?:[^${NOT_PLAIN}]*[^\\s${NOT_PLAIN}])?[${AROUND_NAME}]*$`;
const EMAIL = `^[^${NOT_PLAIN}]*[^\\s${NOT_PLAIN}]@[^\\s@${NOT_PLAIN}]+\\.[^${NOT_PLAIN}]+$`;
/** Blanks and invisible marks around a link do not count. A blank text is no link. */
const LINK =
  '^[\\s\\u061C\\u200B\\u200E\\u200F\\u202A-\\u202E\\u2060\\u2066-\\u2069\\uFEFF]*(?:$|[Hh][Tt][Tt][Pp][Ss]?:[/]{2})';
const PHONE =
  `^[${AROUND_PHONE}]*(?:[Tt][Ee][Ll]:(?:\\/\\/)?[${AROUND_PHONE}]*)?` +
  `[^\\s${NOT_PLAIN}][^${NOT_PLAIN}]*[${AROUND_PHONE}]*$`;

export const IS_REQUIRED = 'This field is required.';
interface TypeIssue {
  readonly expected?: string;
  readonly input?: unknown;
}
const typeError = (issue: TypeIssue) =>
  issue.input === undefined || issue.input === null ? IS_REQUIRED : wrongType(issue);

const KINDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'a boolean',
  object: 'an object',
};

/** Names the expected type and the type that was sent, but not the value. */
function wrongType({ expected = '', input }: TypeIssue): string {
  return `Must be ${KINDS[expected] ?? expected}, not ${kindOf(input)}.`;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : (KINDS[typeof value] ?? 'another type');
}

function refusal(code: FieldErrorCode, message: string | ((value: string) => string)) {
  const error = typeof message === 'string' ? message : ({ input }: TypeIssue) => message(String(input));
  return { error, params: { code }, abort: true };
}

type Rule = (schema: z.ZodString) => z.ZodString;

const notTooShort =
  (isLongEnough: (value: string) => boolean, message: string): Rule =>
  (schema) =>
    schema.refine(isLongEnough, refusal('too_short', message)).meta({ minLength: 1 });
const notEmpty = notTooShort((value) => value !== '', 'Must not be empty.');
const notBlank = notTooShort((value) => value.trim() !== '', 'Must not be empty or blank.');
/** Has no `pattern` for the OpenAPI document, because a pattern cannot list every invisible character. */
const visible = notTooShort(
  hasVisibleCharacter,
  'Must contain a visible character. For a person with one name, send a hyphen here.',
);
const plain =
  (pattern: string): Rule =>
  (schema) =>
    schema.refine(isPlainLine, refusal('invalid_format', problemOfLine)).meta({ pattern });
const atMost =
  (max: number): Rule =>
  (schema) =>
    schema
      .refine((value) => hasAtMost(value, max), refusal('too_long', `At most ${max} characters.`))
      .meta({ maxLength: max });
/** Changes the text. The rules after this one check the changed text. */
const after =
  (change: (text: string) => string): Rule =>
  (schema) =>
    schema.overwrite(change);
const email: Rule = (schema) =>
  schema
    .refine(
      hasShortLocalPart,
      refusal('too_long', `At most ${EMAIL_LOCAL_PART_MAX} characters before the at sign.`),
    )
    .refine(
      (value) => problemOfEmail(value) === null,
      refusal('invalid_format', (value) => problemOfEmail(value) ?? ''),
    )
    // Not the format `email`, which forbids addresses that the service accepts. Decision 10.
    .meta({ pattern: EMAIL });
const fetchable: Rule = (schema) =>
  schema
    .refine(
      (value) => value === '' || problemOfLink(value) === null,
      refusal('invalid_format', (value) => problemOfLink(value) ?? ''),
    )
    // Not the format `uri`, which forbids blanks and other characters that the service encodes.
    .meta({ pattern: LINK });

function text(...rules: readonly Rule[]): z.ZodString {
  return rules.reduce((schema, rule) => rule(schema), z.string({ error: typeError }));
}

const personName = text(after(trimName), visible, atMost(NAME_MAX), plain(NAME)).describe(
  'Must contain a visible character: zero-width and filler characters are not enough. White space around it is taken ' +
    'off. If a person has one name, send it as the last name, and a hyphen as the first.',
);

export const candidateSchema = z
  .object(
    {
      firstName: personName,
      lastName: personName,
      email: text(after(trimEmail), atMost(EMAIL_MAX), plain(LINE), email).describe(
        `An e-mail address: at most ${EMAIL_LOCAL_PART_MAX} characters before the at sign, with dots anywhere, and a valid domain name after ` +
          'it. White space and invisible marks around it do not count.',
      ),
      phone: text(after(barePhone), notBlank, atMost(PHONE_MAX), plain(PHONE)).describe(
        "E.164 is best. A number without a country code must be valid in the job's country. White space, invisible marks, " +
          'signs of spreadsheets and `tel:` around it do not count. A number with an extension is refused.',
      ),
    },
    { error: typeError },
  )
  .describe(
    'The person who applies. No field may contain control characters (C0, DEL, C1) or bidirectional overrides or ' +
      'isolates (U+202A to U+202E, U+2066 to U+2069), except around a phone number. U+200C to U+200F are allowed.',
  );

const answers = z
  .custom<FormAnswers>((value) => typeof value === 'object' && !Array.isArray(value), {
    error: ({ input }: TypeIssue) => `Must be an object of answers by question key, not ${kindOf(input)}.`,
    params: { code: 'invalid_type' },
    abort: true,
  })
  .meta({ type: 'object', additionalProperties: true });

/**
 * The schema of a submission. It drops unknown fields, and treats `null` in an optional field as absent.
 * Contract: 6.
 */
export const submissionSchema = z
  .object(
    {
      jobId: text(notEmpty, atMost(JOB_ID_MAX_LENGTH)).describe('As `GET /jobs` gave it.'),
      candidate: candidateSchema,
      consentToContact: z
        .boolean({ error: typeError })
        .refine(
          (consents) => consents,
          refusal('must_be_true', 'The candidate must consent to SMS and e-mail.'),
        )
        .meta({ enum: [true] })
        .describe('The candidate consents to SMS and e-mail. Must be `true`.'),
      source: text(atMost(SOURCE_MAX), plain(LINE)).nullish().describe('A label of the upstream channel.'),
      sourceApplicationId: text(notEmpty, atMost(SOURCE_ID_MAX), plain(LINE))
        .nullish()
        .describe('Your own identifier, unique among your submissions; it comes back in webhooks.'),
      applicationFormAnswers: answers
        .nullish()
        .describe(
          "Answers by the `key` of the job's `applicationFormSchema`. An unknown key is refused. Texts follow the rule of " +
            'the candidate; answers of the type `long_text`, and of types that this version does not know, may also ' +
            'have tabs and line breaks.',
        ),
      resumeUrl: text(after(encodeBlanks), fetchable)
        .nullish()
        .describe(
          'An http or https URL without credentials; blanks in it are encoded, and marks around it do not count. An empty one ' +
            'counts as absent. It is fetched after the reply, ' +
            'only over https, with at most five redirects. If that fails, the application stands.',
        ),
    },
    { error: wrongType },
  )
  .describe('A candidate for a job. Optional fields may be null; unknown fields are ignored.');
