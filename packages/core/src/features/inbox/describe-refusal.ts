import { isError } from '../../domain/any-realm.js';
import { cleanMessage, describeError } from '../../domain/describe-error.js';
import { spellingsOfDomain, splitEmail } from '../../domain/email-address.js';
import { hideValues } from '../../domain/hide-values.js';
import { givenIn } from '../../domain/optional.js';
import { decodePercents } from '../../domain/text.js';
import { type InboxItem, isErasure } from './rules.js';

/** A host's error without personal data, to log and to store. */
export interface Refusal {
  readonly name: string;
  readonly message: string;
  /** For example an SQL state. */
  readonly code?: string;
  /** The error below it. Query builders wrap the error of the database, which has the SQL state. */
  readonly cause?: Refusal;
}

/** Query builders wrap the error of the database once or twice. */
const MAX_CAUSES = 3;

/** Long enough for a sentence and a name. */
const MAX_LENGTH = 300;
/** A longer message is cut before it is searched, because it may be megabytes long. */
const MAX_SEARCHED = 3_000;
/** A shorter run of digits may be something else than the end of a phone number. */
const MIN_DIGITS = 6;

type Application = NonNullable<InboxItem['application']>;

/** Replaces a message about an erased candidate. The data is gone, so it cannot be recognized and removed. */
const MAY_NAME_ERASED = 'The message is not recorded, because it may name an erased candidate.';

/**
 * Describes an error of the host. Removes the values of the applications, which the error may quote in any spelling.
 * Also removes other quoted data, as the log does with every error.
 */
export function describeRefusal(error: unknown, items: readonly InboxItem[]): Refusal {
  if (!isError(error)) return { name: 'Error', message: 'The host threw a value that is not an error.' };
  const values = items.flatMap(({ application }) => (application === undefined ? [] : valuesOf(application)));
  const clean = (message: string) =>
    items.some(isErasure)
      ? MAY_NAME_ERASED
      : cleanMessage(hideValues(shorten(message), values)).slice(0, MAX_LENGTH);
  return describe(error, clean, MAX_CAUSES);
}

function describe(error: Error, clean: (message: string) => string, causes: number): Refusal {
  const { name, code } = describeError(error, 0);
  const { cause: below } = error;
  const cause = isError(below) && causes > 0 ? describe(below, clean, causes - 1) : undefined;
  return { name, message: clean(String(error.message)), ...givenIn({ code, cause }) };
}

/** Returns a refusal as one text, to store it. The error of the database comes last. */
export function refusalText({ name, message, code, cause }: Refusal): string {
  const text = `${name}${code === undefined ? '' : ` (${code})`}: ${message}`;
  return cause === undefined ? text : `${text} Cause: ${refusalText(cause)}`;
}

/** Cuts a long message before its last word, because a part of a value would not be recognized. */
function shorten(message: string): string {
  return message.length <= MAX_SEARCHED ? message : message.slice(0, MAX_SEARCHED).replace(/\S*$/, '…');
}

function valuesOf(application: Application): readonly string[] {
  const { candidate, answers, source, sourceApplicationId, resumeUrl } = application;
  const values = [
    ...namesOf(candidate),
    ...partsOfEmail(candidate.email),
    ...endsOfPhone(candidate.phone),
    ...textsIn([answers, source, sourceApplicationId]),
    ...(resumeUrl === null ? [] : partsOfUrl(resumeUrl)),
  ];
  return values.flatMap((value) => [value, encodeURIComponent(value.toWellFormed())]);
}

function namesOf({ firstName, lastName }: Application['candidate']): readonly string[] {
  return [
    `${firstName}${lastName}`,
    `${lastName}${firstName}`,
    ...[firstName, lastName].flatMap((name) => [name, ...wordsOf(name)]),
  ];
}

function partsOfEmail(email: string): readonly string[] {
  const { local, domain } = splitEmail(email);
  const { ascii, letters } = spellingsOfDomain(domain);
  const spellings = [domain, ascii, letters];
  return [email, local, ...wordsOf(local), ...spellings, ...spellings.map((each) => `${local}${each}`)];
}

/** The number without its country code, and without its area code. */
function endsOfPhone(phone: string): readonly string[] {
  const digits = phone.replace(/\D/g, '');
  const count = Math.max(1, digits.length - MIN_DIGITS + 1);
  return Array.from({ length: count }, (_, index) => digits.slice(index));
}

function partsOfUrl(url: string): readonly string[] {
  const path = url.replace(/[?#].*$/s, '');
  const file = decodePercents(path.slice(path.lastIndexOf('/') + 1));
  return [url, file, file.replace(/\.\w{1,5}$/, '')];
}

function wordsOf(text: string): readonly string[] {
  return text.split(/[^\p{L}\p{N}\p{M}]+/u);
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
