import { CertifyError, invalidOption } from './certify-error.js';

const LOOPBACK = /^(?:localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Parses the URL of a receiver. Allows https without credentials, and http only to this machine.
 * @throws CertifyError with the code `INVALID_OPTIONS`
 */
export function readTargetUrl(given: string | URL): URL {
  if (!URL.canParse(String(given))) {
    throw invalidOption('The URL must be absolute, such as https://ats.example.com/webhooks.');
  }
  const url = new URL(given);
  if (url.username !== '' || url.password !== '') {
    throw invalidOption('The URL must not have a user or password, because the service rejects such URLs.');
  }
  if (url.protocol === 'https:') return url;
  if (url.protocol === 'http:' && LOOPBACK.test(url.hostname)) return url;
  throw invalidOption(
    'The URL must be https. Plain http works only on this machine: http://localhost:<port>/...',
  );
}

/** Returns the URL without its query, which may contain a token. */
export function shownUrl(url: URL): string {
  return `${url.origin}${url.pathname}${url.search === '' ? '' : '?…'}`;
}

const NO_TLS = 'The port does not use TLS. Use http:// if the receiver runs on this machine.';

/** Hints that say how to fix common network errors, by error code. */
const HINTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing listens on that port. Start the receiver, or correct the port.',
  ENOTFOUND: 'The host name has no DNS entry. Correct the name, or wait until the entry is published.',
  EAI_AGAIN: 'The host name cannot be resolved now. Check that this machine is online.',
  ETIMEDOUT: 'Connecting timed out. Check for a firewall.',
  CERT_HAS_EXPIRED:
    'The certificate of the receiver has expired. Renew it, because the service would not connect either.',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'The certificate of the receiver is for another host name. Replace it, because the service would not connect either.',
  // These three codes mean the same, in different versions of Node and OpenSSL.
  EPROTO: NO_TLS,
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
  HPE_HEADER_OVERFLOW:
    'The response has more than 16 KiB of headers. Send fewer, because the service would not read it either.',
};

const UNTRUSTED =
  'The certificate of the receiver is not trusted, or an intermediate certificate is missing. The service would not ' +
  'connect either. To trust your own certificate authority here, set NODE_EXTRA_CA_CERTS=<file>.';
const CERTIFICATE = /CERT|UNABLE_TO_|SIGNATURE/;

/** Matches the error codes of Node's HTTP parser. */
const UNREADABLE = /^HPE_/;

export function unreachable(url: URL, code: string): CertifyError {
  return new CertifyError(
    'RECEIVER_UNREACHABLE',
    `No receiver responds at ${shownUrl(url)} (${code}). ${HINTS[code] ?? hintOfKind(url, code)}`,
  );
}

function hintOfKind({ protocol }: URL, code: string): string {
  if (UNREADABLE.test(code)) return 'The port does not use HTTP. Correct the port.';
  if (CERTIFICATE.test(code)) return UNTRUSTED;
  const tls = protocol === 'http:' ? ' Check whether the port uses https.' : '';
  return `The connection closed before a response arrived. Read the receiver's log, or correct the port.${tls}`;
}
