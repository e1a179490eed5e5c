import { createHmac } from 'node:crypto';
import { type Instant, SECOND_MS } from './time.js';

/** Header names of a delivery. Spec: Events, request headers on each delivery. */
export const SIGNATURE_HEADER = 'X-Partner-Signature';
export const TIMESTAMP_HEADER = 'X-Partner-Timestamp';

/** How far a receiver's clock may be from `t`, either way. Spec: Signature verification, 5. */
export const SIGNATURE_TOLERANCE_SECONDS = 300;

/** A signing secret is this prefix and 32 random bytes in base64url. */
export const SIGNING_SECRET_PREFIX = 'whsec_';
/** 256 bits, as long as the HMAC's output. */
export const SIGNING_SECRET_BYTES = 32;

/** Builds a signing secret. The whole string, as UTF-8, is the HMAC key. */
export function createSigningSecret(random: Uint8Array): string {
  return SIGNING_SECRET_PREFIX + Buffer.from(random).toString('base64url');
}

/** The `t` of an attempt: whole Unix seconds. */
export function signatureTimestamp(at: Instant): number {
  return Math.floor(at / SECOND_MS);
}

/** HMAC-SHA256 over `<t>.<body>`, lowercase hex. Spec: Signature verification, 2 and 3. */
export function signBody(secret: string, timestamp: number, body: string | Uint8Array): string {
  const hmac = createHmac('sha256', secret);
  // Text goes in with one call: each costs as much as hashing half a kilobyte.
  if (typeof body === 'string') return hmac.update(`${timestamp}.${body}`).digest('hex');
  return hmac.update(`${timestamp}.`).update(body).digest('hex');
}

/**
 * The headers of an attempt. During a rotation each secret signs: one `v1=` entry each, the new one first.
 */
export function signatureHeaders(
  secrets: readonly string[],
  at: Instant,
  body: string | Uint8Array,
): Readonly<Record<typeof SIGNATURE_HEADER | typeof TIMESTAMP_HEADER, string>> {
  const timestamp = signatureTimestamp(at);
  const entries = secrets.map((secret) => `v1=${signBody(secret, timestamp, body)}`);
  return {
    [SIGNATURE_HEADER]: [`t=${timestamp}`, ...entries].join(','),
    [TIMESTAMP_HEADER]: String(timestamp),
  };
}
