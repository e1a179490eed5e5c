import type { AttemptOutcome, TransportFailure } from '../../domain/delivery.js';
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

export type FailedExchange = Extract<AttemptOutcome, { readonly kind: 'failed' }>;

/** The causes of a failed TLS handshake, by the codes of Node and OpenSSL. */
const TLS_CAUSES: readonly (readonly [RegExp, string])[] = [
  [
    /^UNABLE_TO_VERIFY_LEAF_SIGNATURE$/,
    'the chain is incomplete, as the server sends only its own certificate and its issuer is unknown',
  ],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'the certificate is for another name'],
  [/^CERT_HAS_EXPIRED$/, 'a certificate has expired'],
  [/^CERT_NOT_YET_VALID$/, 'a certificate is not valid yet'],
  [/SELF_SIGNED_CERT|ISSUER_CERT|^CERT_UNTRUSTED$/, 'the certificate is from an unknown authority'],
  [
    /UNSUPPORTED_PROTOCOL|PROTOCOL_VERSION|VERSION_TOO_LOW/,
    'the server only has versions of TLS that are too old',
  ],
  [
    /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|RECORD_LAYER_FAILURE|HTTP_REQUEST/,
    'the server does not use TLS on this port',
  ],
  [/CERTIFICATE_REQUIRED|UNKNOWN_CA|BAD_CERTIFICATE/, 'the server wants a client certificate'],
  [/HANDSHAKE_FAILURE/, 'the server wants a client certificate, or accepts none of our ciphers'],
];

/** Returns why TLS failed, in one sentence. */
export function tlsError(error: unknown): TransportError {
  const cause = tlsCause(error);
  const sentence = cause === null ? 'TLS failed' : `TLS failed: ${cause}`;
  return new TransportError('tls_failed', withCode(sentence, error), { cause: error });
}

function tlsCause(error: unknown): string | null {
  const code = codeOf(error) ?? '';
  return TLS_CAUSES.find(([codes]) => codes.test(code))?.[1] ?? null;
}

/** Describes a failure without the message of a library, which may quote the URL. */
export function describeFailure(error: unknown): FailedExchange {
  if (error instanceof TransportError) {
    return { kind: 'failed', failure: error.failure, message: error.message };
  }
  // A server that wants a client certificate says so after the handshake.
  if (codeOf(error)?.startsWith('ERR_SSL_') === true) return describeFailure(tlsError(error));
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
