import type { Logger, OperatorAlerts } from '@partner-hiring/core/ports';
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
      if (stream === process.stdout) console.error(`Cannot write to the standard output: ${error.message}`);
    });
  }
}

/** Prints a line with the time and the speaker. */
export function printLine(speaker: 'api' | 'receiver', text: string): void {
  console.log(line(speaker, text));
}

/** Prints to stderr, because another program may read stdout. */
function complain(speaker: 'alert' | 'log', text: string): void {
  console.error(line(speaker, text));
}

function line(speaker: string, text: string): string {
  const time = new Date().toTimeString().slice(0, 8);
  return `${coloured('dim', time)} ${coloured('cyan', speaker.padEnd(8))} ${text}`;
}

/** Prints warnings and errors of the library. A host passes its own logger, such as pino. */
export const consoleLogger: Logger = {
  debug: () => {},
  info: () => {},
  warn: (fields, message) => complain('log', coloured('yellow', `${message} ${fieldsText(fields)}`)),
  error: (fields, message) => complain('log', coloured('red', `${message} ${fieldsText(fields)}`)),
};

/** Prints alerts. A host would page someone. */
export const consoleAlerts: OperatorAlerts = {
  alert: async (alert) => complain('alert', coloured('red', harmlessJson(JSON.stringify(alert)))),
};

/** Serializes log fields. Prints the stack of an error, because JSON would omit it. */
function fieldsText(fields: Readonly<Record<string, unknown>>): string {
  return harmlessJson(
    JSON.stringify(fields, (_key, value: unknown) => (value instanceof Error ? value.stack : value)),
  );
}
