import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { KeyId, PartnerId } from './ids.js';
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from './time.js';

/** Nothing of one environment is visible in the other. */
export type Environment = 'production' | 'sandbox';

/** The prefixes of secrets. Spec: Authentication, 2. */
export const SECRET_PREFIXES = { production: 'pek_live_', sandbox: 'pek_test_' } as const satisfies Record<
  Environment,
  string
>;

/** An applicant-tracking system. */
export interface Partner {
  readonly id: PartnerId;
  readonly name: string;
  readonly createdAt: Instant;
}

/**
 * A partner's identity in one environment. Applications, rate limits, access and the endpoint belong to it,
 * so rotating its secrets loses nothing.
 */
export interface PartnerKey {
  readonly id: KeyId;
  readonly partnerId: PartnerId;
  readonly environment: Environment;
  readonly createdAt: Instant;
}

/** A stored secret, without the secret itself. */
export interface KeySecret {
  readonly keyId: KeyId;
  /** SHA-256 of the whole secret, lowercase hex. */
  readonly hash: string;
  /** `pek_live_` or `pek_test_`. */
  readonly prefix: string;
  readonly lastFour: string;
  readonly createdAt: Instant;
  /** The last use, to the minute, or null. */
  readonly lastUsedAt: Instant | null;
  /** When it stops working after a rotation, or null for the current secret. */
  readonly expiresAt: Instant | null;
  /** Null unless revoked. */
  readonly revokedAt: Instant | null;
}

/** The default overlap of a rotation, in milliseconds. */
export const DEFAULT_OVERLAP_MS = DAY_MS;
/** A leaked secret must not work longer than a week. */
const MAX_OVERLAP_MS = 7 * DAY_MS;
/** Limits writes of `lastUsedAt` to one per minute. */
const LAST_USED_STEP_MS = MINUTE_MS;
/** 256 bits. */
export const SECRET_RANDOM_BYTES = 32;

const CHECKSUM_LENGTH = 6;
const SECRET_FORM = /^pek_(?:live|test)_[A-Za-z0-9_-]{43}[A-Za-z0-9_-]{6}$/;

/** Creates a secret: prefix, random bytes in base64url, and a checksum of six characters. */
export function createSecret(environment: Environment, random: Uint8Array): string {
  const body = SECRET_PREFIXES[environment] + Buffer.from(random).toString('base64url');
  return body + checksum(body);
}

/** Returns whether the format and the checksum are valid. Otherwise, no look-up is needed. */
export function isWellFormedSecret(text: string): boolean {
  if (!SECRET_FORM.test(text)) return false;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  return text.slice(-CHECKSUM_LENGTH) === checksum(body);
}

/** Returns the hash that is stored and looked up. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret);
}

/** Returns the stored form of a new secret. */
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

export type SecretEnd = 'revoked' | 'expired';

/** Returns why a secret does not work now, or null if it works. */
export function secretEnd(
  { expiresAt, revokedAt }: Pick<KeySecret, 'expiresAt' | 'revokedAt'>,
  now: Instant,
): SecretEnd | null {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && now >= expiresAt ? 'expired' : null;
}

export function isSecretUsable(secret: Pick<KeySecret, 'expiresAt' | 'revokedAt'>, now: Instant): boolean {
  return secretEnd(secret, now) === null;
}

/** Returns a secret that expires at the end of an overlap. A rotation never extends a secret's life. */
export function expireBy<Secret extends { readonly expiresAt: Instant | null }>(
  secret: Secret,
  at: Instant,
): Secret {
  return { ...secret, expiresAt: Math.min(secret.expiresAt ?? at, at) };
}

/** Returns whether `lastUsedAt` needs an update. */
export function isLastUsedStale(lastUsedAt: Instant | null, now: Instant): boolean {
  return lastUsedAt === null || now - lastUsedAt >= LAST_USED_STEP_MS;
}

/** Returns whether an overlap is 0 to 7 days. */
export function isOverlapAllowed(overlapMs: number): boolean {
  return Number.isFinite(overlapMs) && overlapMs >= 0 && overlapMs <= MAX_OVERLAP_MS;
}

export const OVERLAP_LIMIT_HOURS = MAX_OVERLAP_MS / HOUR_MS;

/** Detects typing errors without a look-up. It is not a security measure. */
function checksum(body: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(body));
  return bytes.toString('base64url');
}
