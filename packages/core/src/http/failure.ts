import { StorageUnavailable, type WireError } from '../errors.js';
import type { LogFields, Logger } from '../ports/telemetry.js';

/** How far a chain of causes is followed. */
const MAX_CAUSES = 3;

/**
 * What a partner is told of something that failed on our side: nothing but the code. The cause goes to the
 * host's log, without what drivers attach to their errors: parameters and rows are personal data.
 */
export function reportFailure(logger: Logger, error: unknown, fields: LogFields): WireError {
  const code = error instanceof StorageUnavailable ? 'SERVICE_UNAVAILABLE' : 'INTERNAL_ERROR';
  try {
    logger.error({ ...fields, code, error: describe(error, MAX_CAUSES) }, 'A partner request failed.');
  } catch {
    // A log that fails must not take the reply with it, and there is nowhere left to report it.
  }
  return { code };
}

function describe(error: unknown, causes: number): LogFields {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, message, stack, cause } = error;
  const code: unknown = 'code' in error ? error.code : undefined;
  return {
    name,
    message,
    stack,
    ...(code === undefined ? {} : { code }),
    ...(cause === undefined || causes === 0 ? {} : { cause: describe(cause, causes - 1) }),
  };
}
