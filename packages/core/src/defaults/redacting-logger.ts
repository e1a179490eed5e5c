import type { LogFields, Logger } from '../ports/telemetry.js';
import { describeError } from './describe-error.js';

/**
 * The host's logger as the library uses it: of an error under `err` only what {@link describeError} lets
 * through, and a logger that throws takes nothing with it, nor one whose promise rejects: Node would end the process.
 */
export function createRedactingLogger(logger: Logger): Logger {
  const at = (level: keyof Logger) => (fields: LogFields, message: string) => {
    try {
      const told = 'err' in fields ? { ...fields, err: describeError(fields.err) } : fields;
      const answer: unknown = logger[level](told, message);
      if (answer !== undefined) Promise.resolve(answer).catch(() => {});
    } catch {
      // There is nowhere left to report it.
    }
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
