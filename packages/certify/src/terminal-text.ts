import { inspect } from 'node:util';

/** ANSI color codes. Node's `styleText` is not used, because only some versions check for a terminal. */
export const COLORS = { red: 31, green: 32, yellow: 33, gray: 90 } as const;
export type Color = keyof typeof COLORS;

const ESCAPE = '\u001b';
const DEFAULT_COLOR = 39;

/** Colors a text. */
export function painted(color: Color, text: string): string {
  return `${ESCAPE}[${COLORS[color]}m${text}${ESCAPE}[${DEFAULT_COLOR}m`;
}

/** Matches control and bidirectional characters, which can manipulate a terminal. */
const HARMFUL = /[\p{Cc}\p{Bidi_Control}]/gu;

/** The codes of `painted`, in parentheses so that `split` keeps them. */
const PAINT = new RegExp(`(${ESCAPE}\\[(?:${[...Object.values(COLORS), DEFAULT_COLOR].join('|')})m)`);

/** Removes characters that manipulate a terminal. */
export function terminalText(text: string): string {
  return text.replace(HARMFUL, ' ');
}

/**
 * Removes characters that manipulate a terminal from lines, except for the colors of `painted`. Also removes signing
 * secrets that somebody typed in the wrong place. Everything that the program prints passes this function.
 */
export function terminalLines(given: unknown): string {
  const text = typeof given === 'string' ? given : inspect(given);
  return text
    .split(PAINT)
    .map((part) => (PAINT.test(part) ? part : part.split('\n').map(terminalText).join('\n')))
    .join('')
    .replaceAll(/whsec_[\w-]+/g, 'whsec_***');
}

/** Characters that JSON leaves unescaped although they can manipulate a terminal. */
const HARMFUL_IN_JSON = /[\u007f-\u009f\p{Bidi_Control}]/gu;

/** Serializes a value for a terminal. */
export function terminalJson(value: unknown): string {
  const escaped = (mark: string) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value, null, 2).replace(HARMFUL_IN_JSON, escaped);
}
