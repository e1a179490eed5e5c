import { hash } from 'node:crypto';
import stringify from 'fast-json-stable-stringify';
import type { ApplicationId, CompanyId, KeyId } from './ids.js';
import { DAY_MS, type Instant } from './time.js';

/** How long a key stays bound after its first 201. Spec: Idempotency rules, 4. */
export const IDEMPOTENCY_TTL_MS = DAY_MS;

/**
 * How long a request waits for another with the same key that is still under way: long enough for any
 * healthy commit, short enough that a client's own time-out does not fall first.
 */
export const IDEMPOTENCY_WAIT_MS = 2_000;

/** Around it only what HTTP calls white space: a no-break space belongs to the value. */
const UUID_V4 = /^[ \t]*([0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12})[ \t]*$/;

/** The stored reply of a committed 201. */
export interface StoredReply {
  readonly status: number;
  /** The body's exact text. */
  readonly body: string;
}

/** A key that a committed 201 has bound. Only that binds one; any other outcome leaves it free. */
export interface IdempotencyRecord {
  readonly keyId: KeyId;
  /** The partner's UUID, in lower case. */
  readonly idempotencyKey: string;
  /** Of the raw body bytes. */
  readonly fingerprint: string;
  /** Of the body's JSON, whatever its key order and white space. */
  readonly jsonFingerprint: string;
  readonly applicationId: ApplicationId;
  readonly companyId: CompanyId;
  readonly reply: StoredReply;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
}

/** What a header's value is worth as an idempotency key. */
export type IdempotencyKeyReading =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'malformed' };

/** Reads the `Idempotency-Key` header fields of a request: a UUID v4 in any letter case, once. */
export function readIdempotencyKey(values: readonly string[]): IdempotencyKeyReading {
  if (values.length > 1) return { kind: 'malformed' };
  const value = values[0]?.toLowerCase() ?? '';
  if (/^[ \t]*$/.test(value)) return { kind: 'missing' };
  const key = UUID_V4.exec(value)?.[1];
  return key === undefined ? { kind: 'malformed' } : { kind: 'key', key };
}

/** The fingerprint of a body's raw bytes: any byte that differs makes another. */
export function fingerprintBytes(body: Uint8Array): string {
  return hash('sha256', body);
}

/** The fingerprint of a JSON value, equal for equal JSON in other bytes. */
export function fingerprintJson(value: unknown): string {
  return hash('sha256', stringify(value) ?? '');
}

/** What a bound key means for a new request that carries it. Spec: Idempotency rules, 1, 2 and 4. */
export type ReplayDecision =
  | { readonly kind: 'free' }
  | { readonly kind: 'replay'; readonly record: IdempotencyRecord }
  /** `sameJson`: whether the two bodies are the same JSON in other bytes, the commonest cause. */
  | { readonly kind: 'reused'; readonly record: IdempotencyRecord; readonly sameJson: boolean };

/** Judges a request by the record of its key, if there is one that has not expired. */
export function decideReplay(
  record: IdempotencyRecord | null,
  request: { readonly fingerprint: string; readonly jsonFingerprint: string },
  now: Instant,
): ReplayDecision {
  if (record === null || now >= record.expiresAt) return { kind: 'free' };
  if (record.fingerprint === request.fingerprint) return { kind: 'replay', record };
  return { kind: 'reused', record, sameJson: record.jsonFingerprint === request.jsonFingerprint };
}
