/**
 * Matches a word as people type it: letters and dashes, and perhaps a number at the end. Secrets are longer and mix
 * more kinds of characters.
 */
const WORD = /^-{0,2}[a-z]+(?:-[a-z]+){0,4}\d{0,3}$/i;
const LONGEST_WORD = 24;

/** Longer words have neither digits nor letters of both cases: 16 random bytes are 22 characters in base64. */
const LONGEST_MIXED_WORD = 16;

/** A number or a time. */
const FIGURE = /^-?[\d.:TZ+-]{1,30}$/;

const ID = /^(?:co|job|ej_app|evt|ptn|key|op|alr|aud|wkr|req)_[\w-]{1,120}$/;
const SECRET_IN_ID = /pek[_-]|whsec/i;

/**
 * Returns whether a text is an id of the library. The host chooses some of these ids, but no secret starts like one.
 */
export function isSomeId(text: string): boolean {
  return ID.test(text) && !SECRET_IN_ID.test(text);
}

/** Returns whether a message may repeat a typed text. It may not if the text could be a secret in the wrong place. */
export function mayRepeat(text: string): boolean {
  if (FIGURE.test(text)) return true;
  return isWord(text) || isSomeId(text);
}

function isWord(text: string): boolean {
  const isMixed = /\d/.test(text) || (/[a-z]/.test(text) && /[A-Z]/.test(text));
  return text.length <= (isMixed ? LONGEST_MIXED_WORD : LONGEST_WORD) && WORD.test(text);
}

/** Returns the text in quotes, after the words of `before`. Returns an empty text if a message may not repeat it. */
export function repeated(text: string, before = ' '): string {
  return mayRepeat(text) ? `${before}"${text}"` : '';
}
