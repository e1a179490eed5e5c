import { StorageUnavailable, type WireError } from '../errors.js';
import type { LogFields, Logger } from '../ports/telemetry.js';

/** What a partner is told of something that failed on our side: nothing but the code. The cause goes to the host. */
export function reportFailure(logger: Logger, err: unknown, fields: LogFields): WireError {
  const code = err instanceof StorageUnavailable ? 'SERVICE_UNAVAILABLE' : 'INTERNAL_ERROR';
  logger.error({ ...fields, code, err }, 'A partner request failed.');
  return { code };
}
