/** Returns whether all databases and JSON preserve the text: no NUL and no lone surrogate. */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** Replaces every NUL and lone surrogate by U+FFFD. */
export function toStorableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

/**
 * Characters that can deceive a reader. Control characters (C0, DEL, C1) can break a log line or steer a
 * terminal. Bidirectional embeddings, overrides and isolates (U+202A to U+202E, U+2066 to U+2069) reorder
 * text. U+200C to U+200F are allowed, because real names need them.
 */
const DECEPTIVE = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/u;
const DECEPTIVE_BETWEEN_BREAKS = /(?![\t\n\r])[\p{Cc}\u202A-\u202E\u2066-\u2069]/u;

/** Returns whether the text is one line without deceptive characters. */
export function isPlainLine(text: string): boolean {
  return !DECEPTIVE.test(text);
}

/** Returns whether each line is plain. Allows tabs and line breaks (LF, CR). */
export function isPlainText(text: string): boolean {
  return !DECEPTIVE_BETWEEN_BREAKS.test(text);
}

/**
 * A visible character. Unicode counts the blanks of Braille (U+2800) and of musical notation (U+1D159) as
 * symbols, so they are listed.
 */
const VISIBLE = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800\u{1D159}]/u;

/** Returns whether the text is visible. A name of zero-width characters would look like an empty field. */
export function hasVisibleCharacter(text: string): boolean {
  return VISIBLE.test(text);
}
