import { describeError } from '../domain/describe-error.js';
import type { LogFields, Logger } from '../ports/telemetry.js';
import { ignoreRejection } from './stray-promises.js';

export const noLogger: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
};

/**
 * Wraps a logger. Replaces the field `err` with {@link describeError} of it, and ignores errors that the
 * logger throws.
 */
export function createRedactingLogger(logger: Logger): Logger {
  const at = (level: keyof Logger) => (fields: LogFields, message: string) => {
    try {
      const redacted = 'err' in fields ? { ...fields, err: describeError(fields.err) } : fields;
      ignoreRejection(logger[level](redacted, message));
    } catch {
      // The failure cannot be logged.
    }
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
