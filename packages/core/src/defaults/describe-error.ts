/** An error as it may be logged. */
interface DescribedError {
  readonly name: string;
  readonly message: string;
  /** Where it came from, without the message. */
  readonly stack?: string;
  readonly code?: string;
  readonly cause?: DescribedError;
}

/** How far a chain of causes is followed. */
const MAX_CAUSES = 3;
/** Enough for every message that says what is wrong and how to put it right; what is longer quotes something. */
const MAX_MESSAGE = 500;

/**
 * What may be told of an error: name, message, code, stack and causes. What drivers and clients attach besides
 * (parameters, rows, requests, bodies) is left out, and messages are cleaned of what they quote.
 */
export function describeError(error: unknown, causes = MAX_CAUSES): DescribedError {
  if (!(error instanceof Error)) return { name: typeof error, message: 'What was thrown is no error.' };
  const { cause } = error;
  const stack = framesOf(error);
  const code = codeOf(error);
  return {
    name: isWord(error.name) ? error.name : 'Error',
    message: cleanMessage(error.message),
    ...(stack === '' ? {} : { stack }),
    ...(code === null ? {} : { code }),
    ...(cause === undefined || causes === 0 ? {} : { cause: describeError(cause, causes - 1) }),
  };
}

/**
 * What messages of databases, clients and parsers were seen to quote, and what stands in its place. Names of
 * tables, constraints and files stay: they are what one searches for. That of a document does not: a sink may have it
 * under the name that the candidate gave it.
 */
const QUOTED: readonly (readonly [RegExp, string])[] = [
  // Query builders append the values: `Failed query: … params: …`.
  [/\b(params|parameters|values|bindings)\s*[:=][\s\S]*$/i, '$1: …'],
  // PostgreSQL: `Key (email)=(…) already exists.` A value may have brackets of its own.
  [/=\([\s\S]*\)(?= (?:already exists|is not present|is still referenced|conflicts))/g, '=(…)'],
  [/=\([^)]*\)/g, '=(…)'],
  // PostgreSQL: `Failing row contains (…).`
  [/\b(row contains) \([\s\S]*\)/g, '$1 (…)'],
  // PostgreSQL: `invalid input syntax for type integer: "…"`. Some languages have no space there.
  [/:( ?)"[\s\S]*"/g, ':$1"…"'],
  // V8: `Unexpected token 'A', "…" is not valid JSON`.
  [/"[\s\S]*"(?=[. ]* is not valid JSON)/g, '"…"'],
  // Node: `The argument 'path' must be a string. Received '…'`.
  [/(\. Received )[\s\S]*$/, '$1…'],
  // `fetch`, of what is no URL: whatever that may be, with spaces too.
  [/(Failed to parse URL from )[\s\S]*$/, '$1…'],
  // Of a URL nothing: user, path and query may each be a secret, and candidates have hosts of their own name.
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s"'<>]*/gi, '$1…'],
  // A host that was not found, or showed another one's certificate, for the same reason.
  [/\b((?:get[a-z]+info|query[A-Z]\w*) [A-Z_]+|ENOTFOUND|EAI_AGAIN) \S+/g, '$1 …'],
  [/(does not match certificate's altnames: )[\s\S]*$/, '$1…'],
  // A résumé, by the extensions that its name may end in.
  [/(?<=[/\\])[^/\\]*\.(?=(?:pdf|docx?|odt|rtf|txt)\b)/gi, '….'],
  [/(?<=['"])[^/\\'"]*\.(?=(?:pdf|docx?|odt|rtf|txt)\b)/gi, '….'],
  // A path with a query.
  [/\?[^\s"'<>]*=[^\s"'<>]*/g, '?…'],
  // An e-mail address.
  [/[^\s@<>"'(),:;]+@[^\s@<>"'(),:;]+/g, '…'],
  // A body.
  [/\{[\s\S]*\}/g, '{…}'],
  // Our own secrets, and others by their form: long, and with a digit in it.
  [/\b(pek_|whsec_)\S+/g, '$1…'],
  [/(?=[\w+=-]*\d)[\w+=-]{24,}/g, '…'],
  // A phone number.
  [/\+?\d[\d ()-]{7,}\d/g, '…'],
];

/** Taken by pairs, names too: between two of them stands no quotation. */
const QUOTATION = /"[^"]*"/g;
/** All that may stay in quotes. */
const QUOTED_NAME = /^"[\w.$/-]{1,63}"$/;

/** From where a message that was cut may quote what does not end in it. */
const OPENED = /(?:[{"]|=\(|row contains \()[\s\S]*$/;

function cleanMessage(message: string): string {
  // Cut first: a message of megabytes must not be searched, and what is cut off says nothing.
  let clean = straightenQuotes(message.slice(0, 2 * MAX_MESSAGE));
  if (message.length > 2 * MAX_MESSAGE) clean = clean.replace(OPENED, '…');
  for (const [quoted, instead] of QUOTED) clean = clean.replace(quoted, instead);
  clean = clean.replace(QUOTATION, (quotation) => (QUOTED_NAME.test(quotation) ? quotation : '"…"'));
  return clean.length > MAX_MESSAGE ? `${clean.slice(0, MAX_MESSAGE)}…` : clean;
}

/**
 * Quotation marks as English has them, for PostgreSQL speaks its server's language: `»…«` in German, `«…»` in Spanish,
 * and in French with spaces within. The first one says which it is: others are part of what is quoted.
 */
function straightenQuotes(message: string): string {
  const first = /["«»„“]/.exec(message)?.[0];
  if (first === '"') return message;
  return message.replace(first === '«' ? /«[ \u00a0\u202f]?|[ \u00a0\u202f]?»/g : /[«»„“”]/g, '"');
}

/** The stack begins with the message, and only what follows is ours to tell. */
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
