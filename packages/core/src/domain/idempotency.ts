import { hash } from 'node:crypto';
import stringify from 'fast-json-stable-stringify';
import type { ApplicationId, CompanyId, KeyId } from './ids.js';
import { trimEdges } from './text.js';
import { DAY_MS, type Instant } from './time.js';

/** Contract: 7.5. */
export const IDEMPOTENCY_TTL_MS = DAY_MS;

/**
 * How long a request waits for another one with the same idempotency key, in milliseconds. The wait is longer
 * than a normal commit and shorter than the usual client timeout.
 */
export const IDEMPOTENCY_WAIT_MS = 2_000;

/**
 * Allows only spaces and tabs around the value, as HTTP does. A no-break space would be part of the value.
 */
const BLANK = /[ \t]/;
const IN_QUOTES = /^"([^"]*)"$/;
const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** A stored 201. */
export type StoredReply = IdempotencyRecord['reply'];

/** A used idempotency key. A request binds its key only when its 201 is committed. */
export interface IdempotencyRecord {
  readonly keyId: KeyId;
  readonly idempotencyKey: string;
  readonly fingerprint: string;
  /** A hash of the JSON value, independent of white space and of the order of object keys. */
  readonly jsonFingerprint: string;
  readonly applicationId: ApplicationId;
  readonly companyId: CompanyId;
  readonly reply: {
    readonly status: number;
    readonly body: string;
  };
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
}

/** A parsed header. */
export type IdempotencyKeyResult =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'malformed'; readonly problem: 'repeated' | 'quotes' | 'no_uuid_v4' };

/** Exactly one UUID v4, in any letter case. One pair of double quotes around it does not count. */
export function readIdempotencyKey(values: readonly string[]): IdempotencyKeyResult {
  if (values.length > 1) return { kind: 'malformed', problem: 'repeated' };
  const value = trimEdges(values[0] ?? '', BLANK).toLowerCase();
  const key = IN_QUOTES.exec(value)?.[1] ?? value;
  if (key === '') return { kind: 'missing' };
  if (UUID_V4.test(key)) return { kind: 'key', key };
  return { kind: 'malformed', problem: value.includes('"') ? 'quotes' : 'no_uuid_v4' };
}

/** Returns the SHA-256 of a body. */
export function fingerprintBytes(body: Uint8Array): string {
  return hash('sha256', body);
}

/** Returns the SHA-256 of canonical JSON. */
export function fingerprintJson(value: unknown): string {
  return hash('sha256', stringify(value) ?? '');
}

/** Contract: 7.3 to 7.5. */
export type ReplayDecision =
  | { readonly kind: 'free' }
  | { readonly kind: 'replay'; readonly record: IdempotencyRecord }
  /** `sameJson` is true if the two bodies differ only in white space or in the order of object keys. */
  | { readonly kind: 'reused'; readonly record: IdempotencyRecord; readonly sameJson: boolean };

/**
 * Decides whether a request is new, a replay, or a misuse of its idempotency key. An expired record counts as
 * absent.
 */
export function decideReplay(
  record: IdempotencyRecord | null,
  request: { readonly fingerprint: string; readonly jsonFingerprint: string },
  now: Instant,
): ReplayDecision {
  if (record === null || now >= record.expiresAt) return { kind: 'free' };
  if (record.fingerprint === request.fingerprint) return { kind: 'replay', record };
  return { kind: 'reused', record, sameJson: record.jsonFingerprint === request.jsonFingerprint };
}
