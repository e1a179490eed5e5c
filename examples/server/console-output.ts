import type { Logger, OperatorAlerts } from '@partner-hiring/core/ports';
import { hasCode } from './private-file.js';

/** Whether colours would be seen rather than read. */
const isColoured = process.stdout.isTTY === true && !process.env.NO_COLOR;

const CODES = { dim: 2, red: 31, green: 32, yellow: 33, cyan: 36, bold: 1 } as const;

/** A text in a colour, where the output is a terminal. */
export function coloured(colour: keyof typeof CODES, text: string): string {
  return isColoured ? `\u001b[${CODES[colour]}m${text}\u001b[0m` : text;
}

/** What moves a terminal's cursor, paints over what it shows, or turns text around. */
const HARMFUL = /[\p{Cc}\p{Bidi_Control}]/gu;

/** What others wrote, fit for one line of a terminal. */
export function harmless(text: string): string {
  return text.replace(HARMFUL, ' ');
}

/** What JSON leaves in its strings of that. */
const HARMFUL_IN_JSON = /[\u007f-\u009f\p{Bidi_Control}]/gu;

/** JSON as a terminal may show it: the same value. */
export function harmlessJson(json: string): string {
  return json.replace(HARMFUL_IN_JSON, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * Lets this program end its work where nobody reads what it prints any more, as behind `| head`: Node would end it
 * in the middle, with a stack. What cannot be written for another reason, such as a full disk, shows in the exit code.
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

/** Prints what happened, with the time and who speaks. */
export function printLine(speaker: 'api' | 'receiver', text: string): void {
  console.log(line(speaker, text));
}

/** On the standard error: what a command prints for programs must be nothing else. */
function complain(speaker: 'alert' | 'log', text: string): void {
  console.error(line(speaker, text));
}

function line(speaker: string, text: string): string {
  const time = new Date().toTimeString().slice(0, 8);
  return `${coloured('dim', time)} ${coloured('cyan', speaker.padEnd(8))} ${text}`;
}

/** The library's warnings and errors; a host hands over its own logger, such as pino. */
export const consoleLogger: Logger = {
  debug: () => {},
  info: () => {},
  warn: (fields, message) => complain('log', coloured('yellow', `${message} ${fieldsText(fields)}`)),
  error: (fields, message) => complain('log', coloured('red', `${message} ${fieldsText(fields)}`)),
};

/** Alerts on the screen; a host pages somebody. */
export const consoleAlerts: OperatorAlerts = {
  alert: async (alert) => complain('alert', coloured('red', harmlessJson(JSON.stringify(alert)))),
};

/** An error has no fields of its own that JSON would show. */
function fieldsText(fields: Readonly<Record<string, unknown>>): string {
  return harmlessJson(
    JSON.stringify(fields, (_key, value: unknown) => (value instanceof Error ? value.stack : value)),
  );
}
