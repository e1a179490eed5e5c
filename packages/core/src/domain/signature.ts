import { createHmac, hash } from 'node:crypto';
import { type Instant, SECOND_MS } from './time.js';

/** Contract: 11.1. */
export const SIGNATURE_HEADER = 'X-Partner-Signature';
/** Contract: 11.2. */
export const TIMESTAMP_HEADER = 'X-Partner-Timestamp';

/** The `User-Agent` of each delivery. */
export const WEBHOOK_USER_AGENT = 'Partner-Hiring-Webhooks/1.0';

/** Contract: 11.6. */
export const SIGNATURE_TOLERANCE_SECONDS = 300;

const SIGNING_SECRET_PREFIX = 'whsec_';
export const SIGNING_SECRET_BYTES = 32;

/** The whole string, as UTF-8, is the HMAC key. */
export function createSigningSecret(random: Uint8Array): string {
  return SIGNING_SECRET_PREFIX + Buffer.from(random).toString('base64url');
}

/** Contract: 11.3, 11.4. */
export type Signer = (timestamp: number, body: string) => string;

const BLOCK = 64;
const DIGEST = 32;

export function createSigner(secret: string): Signer {
  // The fast path needs an ASCII key of at most one block.
  const isPlain = Buffer.byteLength(secret) === secret.length && secret.length <= BLOCK;
  return isPlain ? hashSigner(Buffer.from(secret)) : hmacSigner(secret);
}

/** Computes HMAC (RFC 2104) with two calls of `hash`, which is several times faster than `createHmac`. */
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

export function signatureHeaders(
  signers: readonly Signer[],
  at: Instant,
  body: string,
): Readonly<Record<typeof SIGNATURE_HEADER | typeof TIMESTAMP_HEADER, string>> {
  const timestamp = Math.floor(at / SECOND_MS);
  let signature = `t=${timestamp}`;
  for (const sign of signers) signature += `,v1=${sign(timestamp, body)}`;
  return {
    [SIGNATURE_HEADER]: signature,
    [TIMESTAMP_HEADER]: String(timestamp),
  };
}
