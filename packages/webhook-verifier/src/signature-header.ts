import { requireThat } from './refusal.js';

/** Request headers: a `Headers` object, or a plain object such as Node's `request.headers`, in any letter case. */
export type WebhookHeaders = { get(name: string): string | null } | Fields;

type Fields = Readonly<Record<string, string | readonly string[] | null | undefined>>;

/** Returns a header, or null. Joins repeated values with `, ` like `Headers` and Node. */
export function headerValue(headers: WebhookHeaders, header: string): string | null {
  const wanted = header.toLowerCase();
  // Some gateways pass undefined for a request without headers.
  if (typeof headers?.get === 'function') return headers.get(wanted) ?? null;
  const fields = headers as Fields;
  let found: string | readonly string[] | null | undefined;
  for (const name in fields) {
    // The length check avoids most calls of toLowerCase.
    if (name.length === header.length && name.toLowerCase() === wanted) {
      // Most headers have one value. Building a list for it would take a sixth of the time of a verification.
      found = found == null ? fields[name] : [found, fields[name] ?? []].flat();
    }
  }
  if (typeof found === 'string') return found;
  return found?.length ? found.join(', ') : null;
}

/** A signing secret, or several during a rotation. The whole string is the HMAC key, in UTF-8. */
export type SigningSecret = string | readonly string[];

/**
 * Returns the secrets as a list.
 * @throws TypeError if the list is empty, or a secret has no letter or digit: anyone could sign with a blank key,
 *   and HMAC treats NULs as an empty key.
 */
export function listSecrets(secret: SigningSecret): readonly string[] {
  const secrets: readonly string[] = Array.isArray(secret) ? secret : [secret];
  requireThat(
    secrets.length > 0 && secrets.every((value) => typeof value === 'string' && /\w/.test(value)),
    'secret must be whsec_..., or a list of those.',
  );
  return secrets;
}

/** Compares two signatures in constant time for equal lengths. Spec: Signature verification, 4. */
export function isEqual(left: string, right: string): boolean {
  let bits = left.length ^ right.length;
  for (let at = 0; at < left.length; at++) bits |= left.charCodeAt(at) ^ right.charCodeAt(at);
  return bits === 0;
}

/** Has the form `t=<unix seconds>,v1=<digest>`. Spec: Events, request headers on each delivery. */
export const SIGNATURE_HEADER = 'X-Partner-Signature';
/** Repeats the time `t` of the signature header. Spec: Events, request headers on each delivery. */
export const TIMESTAMP_HEADER = 'X-Partner-Timestamp';
/** The largest difference between `t` and the receiver's clock. Spec: Signature verification, 5. */
export const DEFAULT_TOLERANCE_SECONDS = 300;

export interface SignatureHeader {
  /** The signing time in Unix seconds. It is kept as text, because the signature covers the exact text. */
  readonly timestamp: string;
  /** All `v1` values: 64 lowercase hex digits each, two during a rotation. */
  readonly signatures: readonly string[];
}

/**
 * Matches one entry of the header: `t`, `v1`, or another name with a value in visible ASCII. `t` has at most 12 digits,
 * so that it stays exact as a number.
 */
const ENTRY = /(?:t=(0|[1-9]\d{0,11})|v1=([\da-f]{64})|(?!t=|v1=)[a-z]\w*=[!-~]*?)(,|$)/y;

/** Parses a signature header; null if malformed. Skips entries with other names, so that v1 can grow. */
export function parseSignatureHeader(header: string): SignatureHeader | null {
  let timestamp: string | undefined;
  const signatures: string[] = [];
  let entry: RegExpExecArray | null;
  ENTRY.lastIndex = 0;
  do {
    entry = ENTRY.exec(header);
    if (!entry || (entry[1] && timestamp)) return null;
    timestamp ??= entry[1];
    if (entry[2]) signatures.push(entry[2]);
  } while (entry[3]);
  return timestamp && signatures.length > 0 ? { timestamp, signatures } : null;
}
