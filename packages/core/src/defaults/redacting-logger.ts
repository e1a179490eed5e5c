import { describeError } from '../domain/describe-error.js';
import type { Logger } from '../ports/telemetry.js';
import { ignoreRejection } from './stray-promises.js';

/** Makes a logger from what it does at each level. */
export function loggerOf(at: (level: keyof Logger) => Logger['info']): Logger {
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

export const noLogger: Logger = loggerOf(() => () => {});

/**
 * Wraps a logger. Replaces the field `err` with {@link describeError} of it, and ignores errors that the
 * logger throws.
 */
export function createRedactingLogger(logger: Logger): Logger {
  return loggerOf((level) => (fields, message) => {
    try {
      const redacted = 'err' in fields ? { ...fields, err: describeError(fields.err) } : fields;
      ignoreRejection(logger[level](redacted, message));
    } catch {
      // The failure cannot be logged.
    }
  });
}
