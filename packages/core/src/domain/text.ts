/** Whether every database stores this text alike, and JSON carries it: no NUL, no lone surrogate. */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** Replaces every NUL and lone surrogate by U+FFFD. */
export function toStorableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

/**
 * Control characters (C0, DEL, C1) let text act on whatever shows it: they end a line of a log, or steer a terminal.
 * Bidirectional embeddings, overrides and isolates (U+202A to U+202E, U+2066 to U+2069) make it read as other text.
 * U+200C to U+200F are not among them: real names need joiners and direction marks.
 */
const DECEPTIVE = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/u;
const DECEPTIVE_BETWEEN_BREAKS = /(?![\t\n\r])[\p{Cc}\u202A-\u202E\u2066-\u2069]/u;

/** Returns whether a text is one line without control characters and without bidirectional overrides or isolates. */
export function isPlainLine(text: string): boolean {
  return !DECEPTIVE.test(text);
}

/** Returns whether each line of a text is a plain line. Tabs are allowed, as are line breaks (LF, CR). */
export function isPlainText(text: string): boolean {
  return !DECEPTIVE_BETWEEN_BREAKS.test(text);
}

/**
 * A character that leaves a mark. Unicode calls most of the others white space, ignorable, control or format
 * characters. The blanks of Braille (U+2800) and of musical notation (U+1D159) are symbols to it.
 */
const VISIBLE = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800\u{1D159}]/u;

/** Returns whether a reader would see anything of a text: a name of zero-width characters shows as an empty field. */
export function hasVisibleCharacter(text: string): boolean {
  return VISIBLE.test(text);
}
