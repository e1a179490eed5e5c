export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

export function toStorableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

/**
 * Returns whether a text has at most `max` code points, each of one or two code units. Counting those of a huge text
 * would take seconds.
 */
export function hasAtMost(text: string, max: number): boolean {
  return text.length <= max || (text.length <= 2 * max && [...text].length <= max);
}

/**
 * Control characters can manipulate a terminal, and bidirectional overrides reorder text. U+200C to U+200F
 * are allowed, because real names need them.
 */
const DECEPTIVE = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/u;
const DECEPTIVE_BETWEEN_BREAKS = /(?![\t\n\r])[\p{Cc}\u202A-\u202E\u2066-\u2069]/u;
const NOT_STORABLE = /[\0\p{Cs}]/u;

export function isPlainLine(text: string): boolean {
  return !DECEPTIVE.test(text);
}

export function isPlainText(text: string): boolean {
  return !DECEPTIVE_BETWEEN_BREAKS.test(text);
}

/** Why text is refused. Names the first refused character by its code point, because nobody can see it. */
export function problemOfLine(text: string): string {
  return `Must not contain control characters, line breaks, or bidirectional overrides or isolates.${found(DECEPTIVE, text)}`;
}

/** Like {@link problemOfLine}, for text that may contain tabs and line breaks. */
export function problemOfText(text: string): string {
  return `Must not contain control characters, or bidirectional overrides or isolates.${found(DECEPTIVE_BETWEEN_BREAKS, text)}`;
}

/** Like {@link problemOfLine}, for text that a database would alter. */
export function problemOfStorable(text: string): string {
  return `Text must not contain NUL or half of a surrogate pair.${found(NOT_STORABLE, text)}`;
}

function found(refused: RegExp, text: string): string {
  const [character] = refused.exec(text) ?? [];
  return character === undefined ? '' : ` It contains ${codePointOf(character)}.`;
}

/** Returns the code point of the first character, such as `U+202A`. */
export function codePointOf(text: string): string {
  return `U+${(text.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** White space that is no control character. */
export const BLANK_IN_LINE = /(?!\p{Cc})\s/u;

/** Removes matching characters at both ends, in linear time. `edge` matches a single UTF-16 unit. */
export function trimEdges(text: string, edge: RegExp): string {
  let start = 0;
  let end = text.length;
  while (start < end && edge.test(text.charAt(start))) start += 1;
  while (end > start && edge.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** White space, control characters such as line ends included. For the inside of a character class. */
export const AROUND_NAME = '\\s\\u001C-\\u001F\\u0085';
const NAME_EDGE = new RegExp(`[${AROUND_NAME}]`);

/** Returns a name without the white space around it. Decision 7. */
export function trimName(name: string): string {
  return trimEdges(name, NAME_EDGE);
}

/** Unicode counts the blanks of Braille (U+2800) and of music (U+1D159) as symbols. */
const VISIBLE = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800\u{1D159}]/u;

export function hasVisibleCharacter(text: string): boolean {
  return VISIBLE.test(text);
}

/**
 * The inside of a character class, also for the OpenAPI document: white space, and the invisible marks that phones,
 * address books and messengers put around a number.
 */
export const AROUND_PHONE =
  '\\s\\u0085\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B-\\u200F\\u202A-\\u202E' +
  '\\u2060-\\u206F\\u2800\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF9-\\uFFFC' +
  // Spreadsheets and their exports write these around a number.
  '"\'\\u0060\\u00B4\\u2018\\u2019=;,';
const EDGE = new RegExp(`[${AROUND_PHONE}]`);
const SCHEME = /^tel:(?:\/\/)?/i;
/** Matches a number that a spreadsheet took for a decimal. */
const DECIMAL = /^(\+?\d{4,20})\.0+$/;

/** Returns a phone number without the white space, the invisible marks, the signs and the `tel:` around it. Decision 10. */
export function barePhone(text: string): string {
  const trimmed = trimEdges(text, EDGE).replace(DECIMAL, '$1');
  if (!SCHEME.test(trimmed)) return trimmed;
  return trimEdges(decodePercents(trimmed.replace(SCHEME, '')), EDGE);
}

/** Decodes the percent-encoding of a text. Returns the text itself if the encoding is invalid. */
export function decodePercents(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
