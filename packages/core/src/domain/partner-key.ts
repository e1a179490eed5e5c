import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { KeyId, PartnerId } from './ids.js';
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from './time.js';

/** Production and sandbox are separate worlds; nothing of one is visible in the other. */
export type Environment = 'production' | 'sandbox';

/** How the secrets of each world begin. Spec: Authentication, 2. */
export const SECRET_PREFIXES = { production: 'pek_live_', sandbox: 'pek_test_' } as const satisfies Record<
  Environment,
  string
>;

/** An applicant-tracking system that the operator has let in. */
export interface Partner {
  readonly id: PartnerId;
  readonly name: string;
  readonly createdAt: Instant;
}

/**
 * A partner's stable identity in one world. Applications, idempotency records, rate windows, access and
 * the webhook endpoint hang on it, so rotating its secrets loses nothing.
 */
export interface PartnerKey {
  readonly id: KeyId;
  readonly partnerId: PartnerId;
  readonly environment: Environment;
  readonly createdAt: Instant;
}

/** What is kept of a secret: never the secret itself, which is shown once. */
export interface KeySecret {
  readonly keyId: KeyId;
  /** SHA-256 of the whole secret, lowercase hex. */
  readonly hash: string;
  /** `pek_live_` or `pek_test_`. */
  readonly prefix: string;
  /** The last four characters, by which an operator recognises it. */
  readonly lastFour: string;
  readonly createdAt: Instant;
  /** When a request last carried it, to the minute; null if never. */
  readonly lastUsedAt: Instant | null;
  /** When it stops working after a rotation; null while it is the current one. */
  readonly expiresAt: Instant | null;
  /** When the operator revoked it; null if not. */
  readonly revokedAt: Instant | null;
}

/** How long a replaced secret works on, in milliseconds: a day unless the operator says otherwise. */
export const DEFAULT_OVERLAP_MS = DAY_MS;
/** The longest overlap of a rotation: a leaked secret must not outlive a week. */
const MAX_OVERLAP_MS = 7 * DAY_MS;
/** `lastUsedAt` is written at most this often: an operator needs the minute, not a write per request. */
const LAST_USED_STEP_MS = MINUTE_MS;
/** A secret holds this many random bytes: 256 bits. */
export const SECRET_RANDOM_BYTES = 32;

const CHECKSUM_LENGTH = 6;
const SECRET_FORM = /^pek_(?:live|test)_[A-Za-z0-9_-]{43}[A-Za-z0-9_-]{6}$/;

/** Builds a secret from 32 random bytes: prefix, the bytes in base64url, a checksum of six characters. */
export function createSecret(environment: Environment, random: Uint8Array): string {
  const body = SECRET_PREFIXES[environment] + Buffer.from(random).toString('base64url');
  return body + checksum(body);
}

/** Whether a text can be a secret at all: right form, right checksum. Junk needs no look-up. */
export function isWellFormedSecret(text: string): boolean {
  if (!SECRET_FORM.test(text)) return false;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  return text.slice(-CHECKSUM_LENGTH) === checksum(body);
}

/** What is stored of a secret, and what it is found by. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret);
}

/** The stored form of a freshly made secret. */
export function describeSecret(
  keyId: KeyId,
  environment: Environment,
  secret: string,
  createdAt: Instant,
): KeySecret {
  return {
    keyId,
    hash: hashSecret(secret),
    prefix: SECRET_PREFIXES[environment],
    lastFour: secret.slice(-4),
    createdAt,
    lastUsedAt: null,
    expiresAt: null,
    revokedAt: null,
  };
}

/** Why a secret no longer works. */
export type SecretEnd = 'revoked' | 'expired';

/** Why a secret does not work now; null if it works. */
export function secretEnd(
  { expiresAt, revokedAt }: Pick<KeySecret, 'expiresAt' | 'revokedAt'>,
  now: Instant,
): SecretEnd | null {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && now >= expiresAt ? 'expired' : null;
}

/** Whether a request may be authenticated by this secret now. */
export function isSecretUsable(secret: Pick<KeySecret, 'expiresAt' | 'revokedAt'>, now: Instant): boolean {
  return secretEnd(secret, now) === null;
}

/** Returns a replaced secret with the end of its overlap. A rotation never extends a secret's life. */
export function expireBy<Secret extends { readonly expiresAt: Instant | null }>(
  secret: Secret,
  at: Instant,
): Secret {
  return { ...secret, expiresAt: Math.min(secret.expiresAt ?? at, at) };
}

/** Whether the use of a secret is worth writing down now. */
export function isLastUsedStale(lastUsedAt: Instant | null, now: Instant): boolean {
  return lastUsedAt === null || now - lastUsedAt >= LAST_USED_STEP_MS;
}

/** Whether an overlap is allowed: 0 to 7 days. */
export function isOverlapAllowed(overlapMs: number): boolean {
  return Number.isFinite(overlapMs) && overlapMs >= 0 && overlapMs <= MAX_OVERLAP_MS;
}

/** The longest overlap in hours, for messages. */
export const OVERLAP_LIMIT_HOURS = MAX_OVERLAP_MS / HOUR_MS;

/** Against typing errors and junk, not against an attacker: a guess that passes is looked up and not found. */
function checksum(body: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(body));
  return bytes.toString('base64url');
}
