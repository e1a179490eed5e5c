import { misconfiguration } from '../errors.js';
import type { LogFields, Logger } from '../ports/telemetry.js';
import { loggerOf } from './redacting-logger.js';

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;

/** A level of a log line. */
export type LogLevel = (typeof LEVELS)[number];

/** The options of `createConsoleLogger`. */
export interface ConsoleLoggerOptions {
  /** Lines below this level are not printed; default: `info`. */
  readonly level?: LogLevel | undefined;
}

/** The part of pino that the library uses. Fastify's `app.log` has it too. */
export interface PinoLogger extends Logger {
  child(bindings: LogFields): Logger;
}

/**
 * Returns a logger that prints one line of JSON for each entry, with `time`, `level` and `message`: warnings and errors to
 * stderr, others to stdout.
 * @throws OperatorError `MISCONFIGURED` if the level does not exist.
 * @example
 * const partnerHiring = createPartnerHiring({ storage, secretKey, logger: createConsoleLogger({ level: 'warn' }) });
 */
export function createConsoleLogger({ level = 'info' }: ConsoleLoggerOptions = {}): Logger {
  const lowest = LEVELS.indexOf(level);
  if (lowest < 0) {
    throw misconfiguration(`createConsoleLogger: \`level\` must be one of: ${LEVELS.join(', ')}.`);
  }
  return loggerOf((name) => (fields, message) => {
    if (LEVELS.indexOf(name) >= lowest) console[name](toLine(name, fields, message));
  });
}

/**
 * Returns a logger that writes to pino, or to Fastify's logger. Each line has `component: "partner-hiring"`.
 * @example
 * const partnerHiring = createPartnerHiring({ storage, secretKey, logger: createPinoLogger(app.log) });
 */
export function createPinoLogger(pino: PinoLogger): Logger {
  const child = pino.child({ component: 'partner-hiring' });
  return loggerOf((level) => (fields, message) => child[level](fields, message));
}

/** Characters that JSON leaves as they are, although they can manipulate a terminal. */
const HARMFUL = /[\u007f-\u009f\p{Bidi_Control}]/gu;

function toLine(level: LogLevel, fields: LogFields, message: string): string {
  const line = JSON.stringify({ time: new Date().toISOString(), level, message, ...fields }, withoutBigInts);
  return line.replace(HARMFUL, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function withoutBigInts(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
