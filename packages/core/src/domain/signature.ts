import { createHmac, hash } from 'node:crypto';
import { type Instant, SECOND_MS } from './time.js';

/** Header names of a delivery. Spec: Events, request headers on each delivery. */
export const SIGNATURE_HEADER = 'X-Partner-Signature';
export const TIMESTAMP_HEADER = 'X-Partner-Timestamp';

/** How far a receiver's clock may be from `t`, either way. Spec: Signature verification, 5. */
export const SIGNATURE_TOLERANCE_SECONDS = 300;

/** A signing secret is this prefix and 32 random bytes in base64url. */
const SIGNING_SECRET_PREFIX = 'whsec_';
/** 256 bits, as long as the HMAC's output. */
export const SIGNING_SECRET_BYTES = 32;

/** Builds a signing secret. The whole string, as UTF-8, is the HMAC key. */
export function createSigningSecret(random: Uint8Array): string {
  return SIGNING_SECRET_PREFIX + Buffer.from(random).toString('base64url');
}

/** The `t` of an attempt: whole Unix seconds. */
function signatureTimestamp(at: Instant): number {
  return Math.floor(at / SECOND_MS);
}

/** Signs with one secret: HMAC-SHA256 over `<t>.<body>`, lowercase hex. Spec: Signature verification, 2 and 3. */
export type Signer = (timestamp: number, body: string) => string;

/** A block of SHA-256, and a digest, in bytes. */
const BLOCK = 64;
const DIGEST = 32;

/** Makes of a secret, once, what signing needs of it. */
export function createSigner(secret: string): Signer {
  // Only ASCII is as long in UTF-8. Its padded key is ASCII too, and can stand before the input in one text.
  const isPlain = Buffer.byteLength(secret) === secret.length && secret.length <= BLOCK;
  return isPlain ? hashSigner(Buffer.from(secret)) : hmacSigner(secret);
}

/** HMAC as RFC 2104 makes it of two hashes: one-shot ones take a fraction of what `createHmac` does. */
function hashSigner(key: Uint8Array): Signer {
  const padded = new Uint8Array(BLOCK);
  padded.set(key);
  const inner = String.fromCharCode(...padded.map((byte) => byte ^ 0x36));
  const outer = Buffer.alloc(BLOCK + DIGEST);
  outer.set(padded.map((byte) => byte ^ 0x5c));
  return (timestamp, body) => {
    outer.write(hash('sha256', `${inner}${timestamp}.${body}`, 'binary'), BLOCK, 'binary');
    return hash('sha256', outer, 'hex');
  };
}

function hmacSigner(secret: string): Signer {
  return (timestamp, body) => createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
}

/**
 * The headers of an attempt. During a rotation each secret signs: one `v1=` entry each, the new one first.
 */
export function signatureHeaders(
  signers: readonly Signer[],
  at: Instant,
  body: string,
): Readonly<Record<typeof SIGNATURE_HEADER | typeof TIMESTAMP_HEADER, string>> {
  const timestamp = signatureTimestamp(at);
  const entries = signers.map((sign) => `v1=${sign(timestamp, body)}`);
  return {
    [SIGNATURE_HEADER]: `t=${timestamp},${entries.join(',')}`,
    [TIMESTAMP_HEADER]: String(timestamp),
  };
}
