import type { TransportFailure } from '../../domain/delivery.js';

/** An exchange that got no answer, and why. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  constructor(
    readonly failure: TransportFailure,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** A failure as it is recorded. */
export interface FailedExchange {
  readonly kind: 'failed';
  readonly failure: TransportFailure;
  readonly message: string;
}

/**
 * A failure for the record. The message holds fixed words and an error's code, never what a library wrote:
 * that may quote the URL, whose path is often a secret.
 */
export function describeFailure(error: unknown): FailedExchange {
  if (error instanceof TransportError) {
    return { kind: 'failed', failure: error.failure, message: error.message };
  }
  return { kind: 'failed', failure: 'protocol_error', message: withCode('There was no valid answer', error) };
}

/** A sentence with the error's code behind it, where it has one. */
export function withCode(sentence: string, error: unknown): string {
  const code = codeOf(error);
  return code === null ? `${sentence}.` : `${sentence} (${code}).`;
}

/** The code of an error of Node's or of a library's, or null. */
export function codeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}
