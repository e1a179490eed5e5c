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
};

const UNTRUSTED =
  'Its certificate is not trusted, or lacks an intermediate one. The service would not connect either. Behind an ' +
  'authority of your own: NODE_EXTRA_CA_CERTS=<file>.';
const CERTIFICATE = /CERT|UNABLE_TO_|SIGNATURE/;

/** No receiver answers at the URL. */
export function unreachable(url: URL, code: string): CertifyError {
  const standard = CERTIFICATE.test(code) ? UNTRUSTED : 'The connection broke before an answer came.';
  const hint = HINTS[code] ?? standard;
  return new CertifyError(
    'RECEIVER_UNREACHABLE',
    `No receiver answers at ${shownUrl(url)} (${code}). ${hint}`,
  );
}
