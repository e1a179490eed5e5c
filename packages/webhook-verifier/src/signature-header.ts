/** Carries `t=<unix seconds>,v1=<digest>`. Spec: Events, request headers on each delivery. */
export const SIGNATURE_HEADER = 'X-Partner-Signature';
/** Carries the same `t` by itself. Spec: Events, request headers on each delivery. */
export const TIMESTAMP_HEADER = 'X-Partner-Timestamp';
/** How far `t` may be from the receiver's clock, either way. Spec: Signature verification, 5. */
export const DEFAULT_TOLERANCE_SECONDS = 300;

/** What a signature header says. */
export interface SignatureHeader {
  /** Unix seconds, as written: the text is part of what is signed. */
  readonly timestamp: string;
  /** Every `v1`, each 64 lowercase hex digits; at least one. During a rotation there are two. */
  readonly signatures: readonly string[];
}

/** Twelve digits last until the year 33658 and stay exact as a number. */
const TIMESTAMP = /^(?:0|[1-9]\d{0,11})$/;
const NAME = /^[a-z][a-z0-9]*$/;
const DIGEST = /^[0-9a-f]{64}$/;

/**
 * Reads `t=<unix seconds>,v1=<digest>[,v1=<digest>...]`, or answers null if it is of any other form: no
 * or two `t`, no `v1`, a digest with anything before, behind or instead of its 64 lowercase hex digits.
 * Entries of other names are skipped, so that a later scheme can stand beside `v1`.
 */
export function parseSignatureHeader(header: string): SignatureHeader | null {
  let timestamp: string | null = null;
  const signatures: string[] = [];
  for (const entry of header.split(',')) {
    const [name, value] = splitEntry(entry);
    if (name === null) return null;
    if (name === 't') {
      if (timestamp !== null || !TIMESTAMP.test(value)) return null;
      timestamp = value;
    } else if (name === 'v1') {
      if (!DIGEST.test(value)) return null;
      signatures.push(value);
    }
  }
  return timestamp === null || signatures.length === 0 ? null : { timestamp, signatures };
}

/** Writes the header that {@link parseSignatureHeader} reads. */
export function formatSignatureHeader({ timestamp, signatures }: SignatureHeader): string {
  return [`t=${timestamp}`, ...signatures.map((signature) => `v1=${signature}`)].join(',');
}

function splitEntry(entry: string): readonly [name: string | null, value: string] {
  const at = entry.indexOf('=');
  const name = entry.slice(0, Math.max(0, at));
  return NAME.test(name) ? [name, entry.slice(at + 1)] : [null, ''];
}
