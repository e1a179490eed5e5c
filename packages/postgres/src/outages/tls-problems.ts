import { isAnyError } from '@partner-hiring/storage-kysely';
import { outageMessageOf, sqlStateOf } from './explanation.js';
import type { Problem } from './network-problems.js';
import type { Place } from './place.js';

/** Explains an error of TLS, or returns null. */
export function tlsProblem(error: unknown, place: Place): Problem | null {
  const code = sqlStateOf(error);
  const names = place.isOfHost ? OF_POOL : OF_STORAGE;
  if (UNKNOWN_AUTHORITY.test(code)) {
    return {
      problem: `this machine does not know the authority that signed the server's certificate (${code})`,
      fix: `Pass the authority's certificate as ${names.ca}, or name its file in the connection string: \`sslmode=verify-full\` and \`sslrootcert=ca.pem\`. Managed databases offer it for download.`,
    };
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return {
      problem: `the server's certificate is not for ${place.host}, but for ${namesIn(error)}`,
      fix: `Connect with a name of the certificate${names.servername === null ? '' : `, or pass it as ${names.servername}`}.`,
    };
  }
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') {
    const isOver = code === 'CERT_HAS_EXPIRED';
    return {
      problem: `the server's certificate ${isOver ? 'has expired' : 'is not valid yet'} (${code})`,
      fix: `${isOver ? 'Renew the certificate. ' : ''}Check the clock of this machine.`,
    };
  }
  if (!OF_TLS.test(`${code} ${outageMessageOf(error)}`)) return null;
  if (
    /CERTIFICATE_REQUIRED|BAD_CERTIFICATE|certificate required|bad certificate/i.test(
      `${code} ${outageMessageOf(error)}`,
    )
  ) {
    return { problem: 'the server requires a certificate of the client', fix: CLIENT_CERTIFICATE(place) };
  }
  return {
    problem: `TLS failed (${code || outageMessageOf(error)})`,
    fix: 'Check that the port speaks TLS, and that both sides have a version and a cipher in common.',
  };
}

export const CLIENT_CERTIFICATE = ({ isOfHost }: Place) =>
  `Pass it with its key as ${isOfHost ? '`ssl.cert` and `ssl.key` of your pool' : '`tls.cert` and `tls.key`'}, or name the files in the connection string: \`sslcert\` and \`sslkey\`.`;

const OF_POOL = { ca: '`ssl.ca` of your pool', servername: null };
const OF_STORAGE = { ca: '`tls.ca`', servername: '`tls.servername`' };

const UNKNOWN_AUTHORITY =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_GET_ISSUER_CERT(?:_LOCALLY)?|UNABLE_TO_VERIFY_LEAF_SIGNATURE|INVALID_CA|CERT_UNTRUSTED)$/;

const OF_TLS =
  /^(?:CERT_|UNABLE_TO_|ERR_TLS|ERR_SSL|ERR_OSSL|EPROTO|HOSTNAME_MISMATCH)|SSL routines|:SSL |secure TLS connection/;

/** Returns the names in the server's certificate, which are public. */
function namesIn(error: unknown): string {
  const certificate: unknown = isAnyError(error) ? Reflect.get(error, 'cert') : null;
  const names: unknown =
    typeof certificate === 'object' && certificate !== null
      ? Reflect.get(certificate, 'subjectaltname')
      : null;
  if (typeof names !== 'string' || names === '') return 'another name';
  return names.replace(/\b(?:DNS|IP Address):/g, '').slice(0, 200);
}
