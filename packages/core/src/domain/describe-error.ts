import { isError } from './any-realm.js';
import { givenIn } from './optional.js';

interface DescribedError {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
  readonly code?: string;
  readonly cause?: DescribedError;
}

const MAX_CAUSES = 3;
const MAX_MESSAGE = 500;

/** Describes an error for the log. Omits data that is attached to the error or quoted in its message. */
export function describeError(error: unknown, causes = MAX_CAUSES): DescribedError {
  if (!isError(error)) return { name: typeof error, message: 'The thrown value is not an Error.' };
  const { cause } = error;
  const stack = framesOf(error);
  const code = codeOf(error);
  // A logger would print a field that is `undefined`.
  const rest = givenIn<Pick<Required<DescribedError>, 'stack' | 'code' | 'cause'>>({
    stack: stack === '' ? undefined : stack,
    code: code ?? undefined,
    cause: cause === undefined || causes === 0 ? undefined : describeError(cause, causes - 1),
  });
  return {
    name: isWord(error.name) ? error.name : 'Error',
    message: cleanMessage(error.message),
    ...rest,
  };
}

/**
 * Patterns of quoted data. The names of tables, constraints and files stay in the message, because operators
 * search for them.
 */
const QUOTED: readonly (readonly [RegExp, string])[] = [
  // Query builders: `Failed query: … params: …`.
  [/\b(params|parameters|values|bindings)\s*[:=][\s\S]*$/i, '$1: …'],
  // PostgreSQL: `Key (email)=(…) already exists.` The value may contain brackets.
  [/=\([\s\S]*\)(?= (?:already exists|is not present|is still referenced|conflicts))/g, '=(…)'],
  [/=\([^)]*\)/g, '=(…)'],
  // PostgreSQL: `Failing row contains (…).`
  [/\b(row contains) \([\s\S]*\)/g, '$1 (…)'],
  // PostgreSQL: `invalid input syntax for type integer: "…"`. Some languages omit the space.
  [/:( ?)"[\s\S]*"/g, ':$1"…"'],
  // V8: `Unexpected token 'A', "…" is not valid JSON`.
  [/"[\s\S]*"(?=[. ]* is not valid JSON)/g, '"…"'],
  // Node: `The argument 'path' must be a string. Received '…'`.
  [/(\. Received )[\s\S]*$/, '$1…'],
  // `fetch`: the URL may contain spaces.
  [/(Failed to parse URL from )[\s\S]*$/, '$1…'],
  // The user, path and query of a URL may be secret. Its host may be a candidate's name.
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s"'<>]*/gi, '$1…'],
  [/\b((?:get[a-z]+info|query[A-Z]\w*) [A-Z_]+|ENOTFOUND|EAI_AGAIN) \S+/g, '$1 …'],
  [/(does not match certificate's altnames: )[\s\S]*$/, '$1…'],
  [/(?<=[/\\])[^/\\]*\.(?=(?:pdf|docx?|odt|rtf|txt)\b)/gi, '….'],
  [/(?<=['"])[^/\\'"]*\.(?=(?:pdf|docx?|odt|rtf|txt)\b)/gi, '….'],
  [/\?[^\s"'<>]*=[^\s"'<>]*/g, '?…'],
  [/[^\s@<>"'(),:;]+@[^\s@<>"'(),:;]+/g, '…'],
  [/\{[\s\S]*\}/g, '{…}'],
  // Keys and signing secrets of this library, and other long tokens that contain a digit.
  [/\b(pek_|whsec_)\S+/g, '$1…'],
  [/(?=[\w+=-]*\d)[\w+=-]{24,}/g, '…'],
  [/\+?\d[\d ()-]{7,}\d/g, '…'],
];

const QUOTATION = /"[^"]*"/g;
const QUOTED_NAME = /^"[\w.$/-]{1,63}"$/;

const OPENED = /(?:[{"]|=\(|row contains \()[\s\S]*$/;

/** Returns a message without quoted data. Keeps the names of tables, constraints and files. */
export function cleanMessage(message: string): string {
  // Shorten the message first, because it may be megabytes long.
  let clean = straightenQuotes(message.slice(0, 2 * MAX_MESSAGE));
  if (message.length > 2 * MAX_MESSAGE) clean = clean.replace(OPENED, '…');
  for (const [quoted, instead] of QUOTED) clean = clean.replace(quoted, instead);
  clean = clean.replace(QUOTATION, (quotation) => (QUOTED_NAME.test(quotation) ? quotation : '"…"'));
  return clean.length > MAX_MESSAGE ? `${clean.slice(0, MAX_MESSAGE)}…` : clean;
}

/**
 * Converts localized quotation marks, such as `»…«`, to `"`. The first mark in the message decides which
 * marks are converted, because later marks may belong to quoted data.
 */
function straightenQuotes(message: string): string {
  const first = /["«»„“]/.exec(message)?.[0];
  if (first === '"') return message;
  return message.replace(first === '«' ? /«[ \u00a0\u202f]?|[ \u00a0\u202f]?»/g : /[«»„“”]/g, '"');
}

/** The stack starts with the message, which may quote data. */
function framesOf({ stack, message }: Error): string {
  if (typeof stack !== 'string') return '';
  const rest = message === '' ? stack : stack.replace(message, () => '');
  return rest
    .split('\n')
    .filter((line) => FRAME.test(line))
    .join('\n');
}

const FRAME = /^\s+at .+(?::\d+|\(native\)|<anonymous>)\)?$/;

function codeOf(error: Error): string | null {
  const code: unknown = 'code' in error ? error.code : null;
  return (typeof code === 'string' || typeof code === 'number') && isWord(String(code)) ? String(code) : null;
}

function isWord(text: unknown): boolean {
  return typeof text === 'string' && /^[\w.-]{1,64}$/.test(text);
}
