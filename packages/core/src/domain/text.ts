export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

export function toStorableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

/**
 * Control characters can manipulate a terminal, and bidirectional overrides reorder text. U+200C to U+200F
 * are allowed, because real names need them.
 */
const DECEPTIVE = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/u;
const DECEPTIVE_BETWEEN_BREAKS = /(?![\t\n\r])[\p{Cc}\u202A-\u202E\u2066-\u2069]/u;

export function isPlainLine(text: string): boolean {
  return !DECEPTIVE.test(text);
}

export function isPlainText(text: string): boolean {
  return !DECEPTIVE_BETWEEN_BREAKS.test(text);
}

/** Removes matching characters at both ends, in linear time. `edge` matches a single UTF-16 unit. */
export function trimEdges(text: string, edge: RegExp): string {
  let start = 0;
  let end = text.length;
  while (start < end && edge.test(text.charAt(start))) start += 1;
  while (end > start && edge.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** Unicode counts the blanks of Braille (U+2800) and of music (U+1D159) as symbols. */
const VISIBLE = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800\u{1D159}]/u;

export function hasVisibleCharacter(text: string): boolean {
  return VISIBLE.test(text);
}
