/**
 * The maximum length of a stored key, in UTF-16 code units. It keeps the rows of the index small, and is longer than any
 * prefix that people search for.
 */
const MAX_LENGTH = 60;

/** The last code point. It sorts after every key that begins with the same text. */
const LAST_CODE_POINT = '\u{10FFFF}';

/**
 * Returns a last name in the form in which it is found: without accents, case and repeated blanks, and cut to
 * a prefix.
 */
export function lastNameKey(lastName: string): string {
  return foldName(lastName).trimStart().slice(0, MAX_LENGTH).toWellFormed();
}

/** A range of keys. `from` is inclusive, `before` exclusive. */
export interface LastNameRange {
  readonly from: string;
  readonly before: string;
}

/** Returns the keys of the last names that begin with a prefix. Null if the prefix contains no letter. */
export function lastNameRange(prefix: string): LastNameRange | null {
  const from = lastNameKey(prefix);
  return from === '' ? null : { from, before: from + LAST_CODE_POINT };
}

const PLAIN = /^[ -~]*$/;

/** Letters that are not another one with an accent, each with what people type for it. Lower case. */
const TYPED = new Map(
  'łl đd ðd øo þth æae œoe ßss ħh ŧt ŋn əe ɛe ɔo ɓb ɖd ɗd ƙk ƴy'
    .split(' ')
    .map((pair) => [pair.charAt(0), pair.slice(1)]),
);
const TYPED_OTHERWISE = new RegExp(`[${[...TYPED.keys()].join('')}]`, 'g');

/**
 * Returns text without case, accents and repeated blanks, for comparisons, in the letters that people type.
 *
 * The order matters: only upper case turns ı into I. Both forms of the small sigma become one,
 * because its form depends on what follows it.
 */
export function foldName(text: string): string {
  // The same result, without the steps that change no such character. A search folds thousands of names.
  if (PLAIN.test(text)) return text.toLowerCase().replaceAll('`', "'").replace(/ {2,}/g, ' ');
  return text
    .normalize('NFKD')
    .replace(/[\p{Mn}\p{Noncharacter_Code_Point}]/gu, '')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .replaceAll('ς', 'σ')
    .replace(TYPED_OTHERWISE, (letter) => TYPED.get(letter) ?? letter)
    .replace(/[’‘ʻʼʾʿ`´]/gu, "'")
    .replace(/\p{Pd}/gu, '-')
    .replace(/\s+/gu, ' ');
}
