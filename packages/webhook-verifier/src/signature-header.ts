/** Has the form `t=<unix seconds>,v1=<digest>`. Spec: Events, request headers on each delivery. */
export const SIGNATURE_HEADER = 'X-Partner-Signature';
/** Repeats `t`. Spec: Events, request headers on each delivery. */
export const TIMESTAMP_HEADER = 'X-Partner-Timestamp';
/** The largest difference between `t` and the receiver's clock. Spec: Signature verification, 5. */
export const DEFAULT_TOLERANCE_SECONDS = 300;

export interface SignatureHeader {
  /** Unix seconds as text, because the text is signed. */
  readonly timestamp: string;
  /** All `v1` values: 64 lowercase hex digits each, two during a rotation. */
  readonly signatures: readonly string[];
}

/** One entry: `t` with at most 12 digits, which stay exact as a number; `v1`; or another name with a visible ASCII value. */
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
