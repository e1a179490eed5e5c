import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** A certificate and its key. */
export interface TestCertificate {
  readonly cert: string;
  readonly key: string;
}

/** Creates a self-signed certificate for DNS names, valid from yesterday to `expiresAt`. */
export function createSelfSigned(names: readonly string[], expiresAt = tomorrow()): TestCertificate {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return certificate({ names, expiresAt, keys, issuer: { name: names[0] ?? '', key: keys.privateKey } });
}

/** A private authority. */
export interface TestAuthority {
  /** Its own certificate. A client that has it trusts the certificates that it signs. */
  readonly cert: string;
  /** Signs a certificate for DNS names, valid from yesterday to `expiresAt`. */
  issue(names: readonly string[], expiresAt?: Date): TestCertificate;
}

/** Creates a private authority, which no machine knows. */
export function createAuthority(name = 'Test Authority'): TestAuthority {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = { name, key: keys.privateKey };
  return {
    cert: certificate({ names: [name], expiresAt: tomorrow(), keys, issuer, isAuthority: true }).cert,
    issue: (names, expiresAt = tomorrow()) =>
      certificate({
        names,
        expiresAt,
        keys: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
        issuer,
      }),
  };
}

interface CertificateParts {
  readonly names: readonly string[];
  readonly expiresAt: Date;
  readonly keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
  readonly issuer: { readonly name: string; readonly key: KeyObject };
  readonly isAuthority?: boolean;
}

function certificate({ names, expiresAt, keys, issuer, isAuthority = false }: CertificateParts) {
  const body = sequence(
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    tlv(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    sequence(ECDSA_WITH_SHA256),
    distinguished(issuer.name),
    sequence(utcTime(new Date(Math.min(Date.now(), expiresAt.getTime()) - DAY_MS)), utcTime(expiresAt)),
    distinguished(names[0] ?? ''),
    keys.publicKey.export({ type: 'spki', format: 'der' }),
    tlv(0xa3, sequence(...(isAuthority ? [IS_AUTHORITY] : [subjectAltNames(names)]))),
  );
  const signature = tlv(0x03, Buffer.from([0]), sign('sha256', body, issuer.key));
  return {
    cert: pem(sequence(body, sequence(ECDSA_WITH_SHA256), signature)),
    key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function tomorrow(): Date {
  return new Date(Date.now() + DAY_MS);
}

function distinguished(name: string): Buffer {
  return sequence(set(sequence(COMMON_NAME, tlv(0x0c, Buffer.from(name)))));
}

const DAY_MS = 86_400_000;
const ECDSA_WITH_SHA256 = Buffer.from('06082a8648ce3d040302', 'hex');
const COMMON_NAME = Buffer.from('0603550403', 'hex');
const SUBJECT_ALT_NAME = Buffer.from('0603551d11', 'hex');
/** The extension `basicConstraints`, critical, with CA:TRUE. */
const IS_AUTHORITY = Buffer.from('300f0603551d130101ff040530030101ff', 'hex');

function subjectAltNames(names: readonly string[]): Buffer {
  const entries = names.map((name) => tlv(0x82, Buffer.from(name)));
  return sequence(SUBJECT_ALT_NAME, tlv(0x04, sequence(...entries)));
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tlv(0x30, ...parts);
}

function set(...parts: readonly Buffer[]): Buffer {
  return tlv(0x31, ...parts);
}

function utcTime(at: Date): Buffer {
  return tlv(
    0x17,
    Buffer.from(
      `${at
        .toISOString()
        .replace(/[-:T]|\..*/g, '')
        .slice(2)}Z`,
    ),
  );
}

/** A DER element: tag, length, value. */
function tlv(tag: number, ...parts: readonly Buffer[]): Buffer {
  const value = Buffer.concat(parts);
  const { length } = value;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), value]);
}

function pem(der: Buffer): string {
  const lines = der.toString('base64').replace(/.{64}/g, '$&\n').trim();
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}
