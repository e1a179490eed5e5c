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

/**
 * One entry and what ends it: `t` of at most twelve digits, which last until the year 33658 and stay exact as a
 * number; `v1` of 64 lowercase hex digits; or another name, with a value of visible ASCII characters up to the next comma.
 */
const ENTRY = /(?:t=(0|[1-9]\d{0,11})|v1=([\da-f]{64})|(?!t=|v1=)[a-z]\w*=[!-~]*?)(,|$)/y;

/**
 * Reads `t=<unix seconds>,v1=<digest>[,v1=<digest>...]`, or answers null if it is of any other form: no
 * or two `t`, no `v1`, a digest with anything before, behind or instead of its 64 lowercase hex digits, an entry that is
 * no `name=value`, or a blank anywhere. Well-formed entries of other names are skipped, so that a later scheme can stand
 * beside `v1`.
 */
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
