import { z } from 'zod';
import type { FormAnswers } from '../domain/application-form.js';
import type { FieldErrorCode } from '../domain/field-error.js';
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

const string = () => z.string({ error: typeError });
const atMost = (max: number) =>
  [(text: string) => hasAtMost(text, max), refusal('too_long', `At most ${max} characters.`)] as const;
const notEmpty = [(text: string) => text !== '', refusal('too_short', 'Must not be empty.')] as const;
const notBlank = [
  (text: string) => text.trim() !== '',
  refusal('too_short', 'Must not be empty or blank.'),
] as const;

const name = () =>
  string()
    .refine(...notBlank)
    .refine(...atMost(NAME_MAX));

const candidate = z.object(
  {
    firstName: name(),
    lastName: name(),
    email: string()
      .refine(...atMost(EMAIL_MAX))
      .refine(
        (text) => z.regexes.rfc5322Email.test(text),
        refusal('invalid_format', 'Not a valid e-mail address.'),
      ),
    phone: string()
      .refine(...notBlank)
      .refine(...atMost(PHONE_MAX)),
  },
  { error: typeError },
);

const answers = z.custom<FormAnswers>(
  (value) => typeof value === 'object' && !Array.isArray(value),
  refusal('invalid_type', 'Must be an object of answers by question key.'),
);

/**
 * The body of a submission: what can be said without knowing the job. Fields it does not name are dropped;
 * `null` for an optional field is absent. Spec: `POST /applications`, request body.
 */
export const submissionSchema = z.object(
  {
    jobId: string()
      .refine(...notEmpty)
      .refine(...atMost(JOB_ID_MAX_LENGTH)),
    candidate,
    consentToContact: z
      .boolean({ error: typeError })
      .refine(
        (consents) => consents,
        refusal('must_be_true', 'The candidate must consent to SMS and e-mail.'),
      ),
    source: string()
      .refine(...atMost(SOURCE_MAX))
      .nullish(),
    sourceApplicationId: string()
      .refine(...notEmpty)
      .refine(...atMost(SOURCE_ID_MAX))
      .nullish(),
    applicationFormAnswers: answers.nullish(),
    resumeUrl: string()
      .refine(isFetchable, refusal('invalid_format', 'Must be an http or https URL without credentials.'))
      .nullish(),
  },
  { error: (): FieldErrorCode => 'invalid_type' },
);

/** Lengths count code points, as people count characters. */
function hasAtMost(text: string, max: number): boolean {
  if (text.length <= max) return true;
  return text.length <= 2 * max && [...text].length <= max;
}

/** The parser would forgive spaces and missing slashes; whoever fetches later might not. */
function isFetchable(text: string): boolean {
  if (!/^https?:\/\/\S+$/i.test(text) || !URL.canParse(text)) return false;
  if (!text.includes('@')) return true;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}
