const DIM = '\u001b[2m';
const PLAIN = '\u001b[0m';

/** Dims a text, such as the titles of a table, if the output is a terminal that may show colors. */
export function dimmed(text: string): string {
  const isColored = process.stdout.isTTY === true && !process.env.NO_COLOR;
  return isColored ? `${DIM}${text}${PLAIN}` : text;
}

/** Characters that manipulate a terminal. */
const HARMFUL = /[\p{Cc}\p{Bidi_Control}]/gu;

/** Removes characters that manipulate a terminal. Partners choose many texts, such as names. */
export function terminalText(text: string): string {
  return text.replace(HARMFUL, ' ');
}

/**
 * Removes characters that manipulate a terminal from one or more lines. Everything that the program prints passes
 * through this function. It keeps line breaks and tabs. Texts that others choose could forge a line with them, so these
 * need `terminalText` first.
 */
export function terminalLines(text: string): string {
  return text.split('\n').map(terminalLine).join('\n');
}

function terminalLine(line: string): string {
  const isDimmed = line.startsWith(DIM) && line.endsWith(PLAIN);
  if (isDimmed) return DIM + terminalText(line.slice(DIM.length, -PLAIN.length)) + PLAIN;
  return line.split('\t').map(terminalText).join('\t');
}

/** Characters that JSON leaves unescaped although they can manipulate a terminal. */
const HARMFUL_IN_JSON = /[\u007f-\u009f\p{Bidi_Control}]/gu;

/** Escapes what manipulates a terminal in serialized JSON. */
export function terminalJson(json: string): string {
  return json.replace(HARMFUL_IN_JSON, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The same for JSON that a database has, on one line. */
export function terminalJsonLine(json: string): string {
  return terminalText(terminalJson(json));
}
