import { inspect } from 'node:util';
import type { Logger, OperatorAlerts } from '@partner-hiring/core';
import { hasCode } from './private-file.js';

/** Whether the output is a terminal. */
const isColoured = process.stdout.isTTY === true && !process.env.NO_COLOR;

const CODES = { dim: 2, red: 31, green: 32, yellow: 33, cyan: 36, bold: 1 } as const;

/** Colors a text if the output is a terminal. */
export function coloured(colour: keyof typeof CODES, text: string): string {
  return isColoured ? `\u001b[${CODES[colour]}m${text}\u001b[0m` : text;
}

/** Characters that manipulate a terminal. */
const HARMFUL = /[\p{Cc}\p{Bidi_Control}]/gu;

/** Removes characters that manipulate a terminal. */
export function harmless(text: string): string {
  return text.replace(HARMFUL, ' ');
}

const ESCAPE = '\u001b';

/** The colors of `coloured`, in parentheses so that `split` keeps them. */
const COLOURS = new RegExp(`(${ESCAPE}\\[(?:0|1|2|3[1236])m)`);

/** Removes characters that manipulate a terminal from lines, except for the colors of `coloured`. */
export function harmlessLines(text: string): string {
  const parts = isColoured ? text.split(COLOURS) : [text];
  const clean = (part: string) => part.split('\n').map(harmless).join('\n');
  return parts.map((part) => (COLOURS.test(part) ? part : clean(part))).join('');
}

/** Prints lines. Everything that the examples print passes this function or `printError`. */
export function print(text: string): void {
  console.log(harmlessLines(text));
}

/** Prints lines to stderr. For an unexpected error, prints the stack. */
export function printError(error: unknown): void {
  console.error(harmlessLines(typeof error === 'string' ? error : inspect(error)));
}

/** Characters that JSON leaves unescaped although they can manipulate a terminal. */
const HARMFUL_IN_JSON = /[\u007f-\u009f\p{Bidi_Control}]/gu;

/** Serializes JSON safely for a terminal. */
function harmlessJson(json: string): string {
  return json.replace(HARMFUL_IN_JSON, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * Ignores the error when a reader closes the output, as `| head` does. It would crash Node. Other write
 * errors, such as a full disk, set the exit code.
 */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error) => {
      if (hasCode(error, 'EPIPE')) return;
      process.exitCode = 1;
      if (stream === process.stdout) printError(`Cannot write to the standard output: ${error.message}`);
    });
  }
}

/** Prints a line with the time and the speaker. */
export function printLine(speaker: 'api' | 'receiver', text: string): void {
  print(line(speaker, harmless(text)));
}

/** Prints to stderr, because another program may read stdout. */
function complain(speaker: 'alert' | 'log' | 'mail', colour: 'red' | 'yellow', text: string): void {
  printError(line(speaker, coloured(colour, harmless(text))));
}

function line(speaker: string, text: string): string {
  const time = new Date().toTimeString().slice(0, 8);
  return `${coloured('dim', time)} ${coloured('cyan', speaker.padEnd(8))} ${text}`;
}

/** Prints warnings and errors of the library. A host passes its own logger, such as pino. */
export const consoleLogger: Logger = {
  debug: () => {},
  info: () => {},
  warn: (fields, message) => complain('log', 'yellow', `${message} ${fieldsText(fields)}`),
  error: (fields, message) => complain('log', 'red', `${message} ${fieldsText(fields)}`),
};

/** Prints alerts, and the messages for the contacts of partners. A host would page someone, and send the messages. */
export const consoleAlerts: OperatorAlerts = {
  async alert(alert) {
    const message = 'message' in alert ? alert.message : undefined;
    complain('alert', 'red', harmlessJson(JSON.stringify({ ...alert, message: undefined })));
    if (message === undefined) return;
    const { to, subject, text } = message;
    complain('mail', 'yellow', `to ${to.name} <${to.address}>: ${subject}`);
    for (const paragraph of text.split('\n').filter((each) => each !== ''))
      complain('mail', 'yellow', paragraph);
  },
};

/** Serializes log fields. Prints the stack of an error, because JSON would omit it. */
function fieldsText(fields: Readonly<Record<string, unknown>>): string {
  return harmlessJson(
    JSON.stringify(fields, (_key, value: unknown) => (value instanceof Error ? value.stack : value)),
  );
}
