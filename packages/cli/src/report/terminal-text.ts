/** Dims a text, such as the titles of a table, if the output is a terminal that may show colors. */
export function dimmed(text: string): string {
  const isColored = process.stdout.isTTY === true && !process.env.NO_COLOR;
  return isColored ? `\u001b[2m${text}\u001b[0m` : text;
}

/** Characters that manipulate a terminal. */
const HARMFUL = /[\p{Cc}\p{Bidi_Control}]/gu;

/** Removes characters that manipulate a terminal. Partners choose many texts, such as names. */
export function terminalText(text: string): string {
  return text.replace(HARMFUL, ' ');
}

/** Characters that JSON leaves unescaped although they can manipulate a terminal. */
const HARMFUL_IN_JSON = /[\u007f-\u009f\p{Bidi_Control}]/gu;

/** Escapes what manipulates a terminal in serialized JSON. */
export function terminalJson(json: string): string {
  return json.replace(HARMFUL_IN_JSON, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
