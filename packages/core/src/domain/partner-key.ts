import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { KeyId, PartnerId } from './ids.js';
import type { LoweredLimits } from './rate-limit.js';
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from './time.js';

/** `production`, or `sandbox` for tests of partners. Keys, companies and jobs belong to one of them. */
export type Environment = 'production' | 'sandbox';

/** Contract: 4.2. */
export const SECRET_PREFIXES = { production: 'pek_live_', sandbox: 'pek_test_' } as const satisfies Record<
  Environment,
  string
>;

/** The person at a partner who gets messages about its access. */
export interface PartnerContact {
  /** At most 200 characters. */
  readonly name: string;
  /** At most 254 characters. */
  readonly email: string;
}

/** An applicant-tracking system. */
export interface Partner {
  readonly id: PartnerId;
  readonly name: string;
  /** The person who gets messages about its access; null if the host has set none, and for a removed partner. */
  readonly contact: PartnerContact | null;
  readonly createdAt: Instant;
  /** Since when its calls get 401 and its events wait; null for a partner that may call the API. */
  readonly disabledAt: Instant | null;
  /** When it was removed; null for other partners. */
  readonly removedAt: Instant | null;
}

/** A partner's identity in one environment. Its secrets can rotate. */
export interface PartnerKey {
  readonly id: KeyId;
  readonly partnerId: PartnerId;
  readonly environment: Environment;
  readonly createdAt: Instant;
  /** Its lower limits; null if they never were lowered, or were lifted. A past end means that they have ended. */
  readonly loweredLimits: LoweredLimits | null;
}

/** A key, with the hash of the secret that a request used. An act checks that the secret works when it commits. */
export interface UsedKey extends PartnerKey {
  readonly secretHash: string;
}

/** A stored secret of a key. It contains only a hash, never the secret itself. */
export interface KeySecret {
  readonly keyId: KeyId;
  /** The SHA-256 hash of the secret, in hex. */
  readonly hash: string;
  /** `pek_live_` or `pek_test_`. */
  readonly prefix: string;
  /** The last four characters of the secret. */
  readonly lastFour: string;
  readonly createdAt: Instant;
  /** When a request last used the secret, precise to a minute; null if none did. */
  readonly lastUsedAt: Instant | null;
  /** When the secret stops working because it was replaced; null if it was not. */
  readonly expiresAt: Instant | null;
  /** When the secret was revoked; null if it was not. */
  readonly revokedAt: Instant | null;
}

export const DEFAULT_OVERLAP_MS = DAY_MS;
/** A leaked secret must not work longer than a week. */
const MAX_OVERLAP_MS = 7 * DAY_MS;
const LAST_USED_STEP_MS = MINUTE_MS;
/** 256 bits. */
export const SECRET_RANDOM_BYTES = 32;

const CHECKSUM_LENGTH = 6;
const SECRET_FORM = /^pek_(?:live|test)_[A-Za-z0-9_-]{43}[A-Za-z0-9_-]{6}$/;

/** Returns a new secret: prefix, random bytes in base64url, and a checksum. */
export function createSecret(environment: Environment, random: Uint8Array): string {
  const body = SECRET_PREFIXES[environment] + Buffer.from(random).toString('base64url');
  return body + checksum(body);
}

/** Returns whether a secret has the right form and checksum. A malformed secret needs no database query. */
export function isWellFormedSecret(text: string): boolean {
  if (!SECRET_FORM.test(text)) return false;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  return text.slice(-CHECKSUM_LENGTH) === checksum(body);
}

/** Returns the stored hash. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret);
}

/** Returns the stored form of a secret. */
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

/** Why a secret does not work. `disabled`: its partner is disabled. */
export type SecretEnd = 'revoked' | 'expired' | 'disabled';

/** Returns null while the secret works. */
export function secretEnd(
  { expiresAt, revokedAt }: Pick<KeySecret, 'expiresAt' | 'revokedAt'>,
  now: Instant,
): SecretEnd | null {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && now >= expiresAt ? 'expired' : null;
}

/** When a secret and its partner end, as a statement found them at the storage's time. */
export interface FoundSecret {
  readonly secret: Pick<KeySecret, 'expiresAt' | 'revokedAt'>;
  readonly disabledAt: Instant | null;
  readonly readAt: Instant;
}

/** Returns why a secret did not work when it was read. Null if it worked. */
export function foundSecretEnd({ secret, disabledAt, readAt }: FoundSecret): SecretEnd | null {
  return disabledAt === null ? secretEnd(secret, readAt) : 'disabled';
}

/** Returns whether a secret works now. */
export function isSecretUsable(secret: Pick<KeySecret, 'expiresAt' | 'revokedAt'>, now: Instant): boolean {
  return secretEnd(secret, now) === null;
}

/**
 * Returns the secret with a new expiry: `at`, or its present expiry if that is earlier. A rotation must not
 * extend a secret's life.
 */
export function expireBy<Secret extends { readonly expiresAt: Instant | null }>(
  secret: Secret,
  at: Instant,
): Secret {
  return { ...secret, expiresAt: Math.min(secret.expiresAt ?? at, at) };
}

/** Returns whether to update `lastUsedAt`. */
export function isLastUsedStale(lastUsedAt: Instant | null, now: Instant): boolean {
  return lastUsedAt === null || now - lastUsedAt >= LAST_USED_STEP_MS;
}

/** Returns whether an overlap is valid. */
export function isOverlapAllowed(overlapMs: number): boolean {
  return Number.isFinite(overlapMs) && overlapMs >= 0 && overlapMs <= MAX_OVERLAP_MS;
}

/** For messages. */
export const OVERLAP_LIMIT_HOURS = MAX_OVERLAP_MS / HOUR_MS;

/** Detects typing errors. It is not a security measure. */
function checksum(body: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(body));
  return bytes.toString('base64url');
}

/** Matches `Bearer` in any letter case, one or more spaces, and one token. Contract: 4.1. */
const BEARER = /^bearer +([^\s,]+)$/i;

/** Returns the secret, or null unless there is exactly one `Authorization` field with a well-formed secret. */
export function presentedSecret([value, second]: readonly string[]): string | null {
  if (value === undefined || second !== undefined) return null;
  const secret = BEARER.exec(value)?.[1];
  return secret !== undefined && isWellFormedSecret(secret) ? secret : null;
}

/** Why a key was not accepted, for the request log. Partners always get the same reply. */
export type AuthorizationFault =
  | 'Authorization.missing'
  | 'Authorization.malformed'
  | 'Authorization.unknown_key';

/** Describes the `Authorization` fields of a request that was not authenticated, without their content. */
export function authorizationFault(values: readonly string[]): AuthorizationFault {
  if (values.every((value) => value.trim() === '')) return 'Authorization.missing';
  return presentedSecret(values) === null ? 'Authorization.malformed' : 'Authorization.unknown_key';
}
