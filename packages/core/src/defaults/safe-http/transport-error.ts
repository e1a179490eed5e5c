import type { TransportFailure } from '../../domain/delivery.js';
import { NetworkUnavailable } from '../../errors.js';

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

/** What this machine itself may lack, by the codes of the system's errors, and what helps. */
const LACKS: ReadonlyMap<string, string> = new Map([
  ['EMFILE', 'This process has as many files and connections open as it may. Raise its limit (ulimit -n)'],
  ['ENFILE', 'This machine has as many files and connections open as it may. Raise its limit (fs.file-max)'],
  ['ENOBUFS', 'This machine has no memory left for connections'],
  ['ENOMEM', 'This machine has no memory left for connections'],
]);

/**
 * What this machine lacked if that is why an exchange failed, else null. A partner has a say in no code that counts
 * here: an address without a route may be the partner's fault, a name server that does not listen is not.
 */
export function findLack(error: unknown): NetworkUnavailable | null {
  const cause = error instanceof TransportError ? error.cause : error;
  const lack = LACKS.get(codeOf(cause) ?? '') ?? (isResolverGone(error) ? NO_NAME_SERVER : null);
  return lack === null ? null : new NetworkUnavailable(withCode(lack, cause), { cause: error });
}

const NO_NAME_SERVER = 'None of the name servers of this machine can be reached. See /etc/resolv.conf';

function isResolverGone(error: unknown): boolean {
  return (
    error instanceof TransportError &&
    error.failure === 'name_not_resolved' &&
    codeOf(error.cause) === 'ECONNREFUSED'
  );
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
