import type { TransportFailure } from '../../domain/delivery.js';
import { NetworkUnavailable } from '../../errors.js';

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

const LACKS: ReadonlyMap<string, string> = new Map([
  ['EMFILE', 'This process has reached its limit of open files and connections. Raise it (ulimit -n)'],
  ['ENFILE', 'This machine has reached its limit of open files and connections. Raise it (fs.file-max)'],
  ['ENOBUFS', 'This machine has no memory left for connections'],
  ['ENOMEM', 'This machine has no memory left for connections'],
]);

/**
 * Returns an error if this machine caused the failure, for example because it has no free sockets. Partners
 * cannot cause such a failure. Otherwise returns null.
 */
export function findLack(error: unknown): NetworkUnavailable | null {
  if (error instanceof NetworkUnavailable) return error;
  const cause = error instanceof TransportError ? error.cause : error;
  const lack = LACKS.get(codeOf(cause) ?? '') ?? (isResolverGone(error) ? NO_NAME_SERVER : null);
  return lack === null ? null : new NetworkUnavailable(withCode(lack, cause), { cause: error });
}

const NO_NAME_SERVER = 'This machine reaches none of its name servers. Check /etc/resolv.conf';

function isResolverGone(error: unknown): boolean {
  return (
    error instanceof TransportError &&
    error.failure === 'name_not_resolved' &&
    codeOf(error.cause) === 'ECONNREFUSED'
  );
}

export interface FailedExchange {
  readonly kind: 'failed';
  readonly failure: TransportFailure;
  readonly message: string;
}

/** Describes a failure without the message of a library, which may quote the URL. */
export function describeFailure(error: unknown): FailedExchange {
  if (error instanceof TransportError) {
    return { kind: 'failed', failure: error.failure, message: error.message };
  }
  return {
    kind: 'failed',
    failure: 'protocol_error',
    message: withCode('The response is not valid HTTP', error),
  };
}

export function withCode(sentence: string, error: unknown): string {
  const code = codeOf(error);
  return code === null ? `${sentence}.` : `${sentence} (${code}).`;
}

export function codeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}
