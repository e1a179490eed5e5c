import { CertifyError } from './certify-error.js';
import { shownUrl } from './target-url.js';

const NO_TLS = 'It does not speak TLS on that port. Did you mean http://localhost?';

/** What the commonest codes of the network mean to whoever set the receiver up. */
const HINTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing listens on that port. Start the receiver, or correct the port.',
  ENOTFOUND: 'The name does not resolve. Correct it, or wait for the DNS entry.',
  EAI_AGAIN: 'The name cannot be resolved just now. Is this machine online?',
  ETIMEDOUT: 'It takes no connection. A firewall?',
  CERT_HAS_EXPIRED: 'Its certificate has expired. The service would not connect either.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Its certificate is for another name. The service would not connect either.',
  // One failure by three names: newer runtimes give OpenSSL's own, which changed with its version 3.2.
  EPROTO: NO_TLS,
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
  HPE_HEADER_OVERFLOW: 'Its answer has more than 16 KiB of headers. The service would not read it either.',
};

const UNTRUSTED =
  'Its certificate is not trusted, or lacks an intermediate one. The service would not connect either. Behind an ' +
  'authority of your own: NODE_EXTRA_CA_CERTS=<file>.';
const CERTIFICATE = /CERT|UNABLE_TO_|SIGNATURE/;

/** What Node's parser calls what it cannot read. */
const UNREADABLE = /^HPE_/;

/** No receiver answers at the URL. */
export function unreachable(url: URL, code: string): CertifyError {
  return new CertifyError(
    'RECEIVER_UNREACHABLE',
    `No receiver answers at ${shownUrl(url)} (${code}). ${HINTS[code] ?? hintOfKind(url, code)}`,
  );
}

function hintOfKind({ protocol }: URL, code: string): string {
  if (UNREADABLE.test(code)) return 'What answers there is not HTTP. Correct the port.';
  if (CERTIFICATE.test(code)) return UNTRUSTED;
  const tls = protocol === 'http:' ? ' Does that port speak https?' : '';
  return `The connection broke before an answer came. Read the receiver's log, or correct the port.${tls}`;
}
