/**
 * Has the form `t=<unix seconds>,v1=<digest>`.
 * Contract: 11.1, https://github.com/partner-hiring/partner-hiring/blob/main/docs/contract.md
 */
export const SIGNATURE_HEADER = 'X-Partner-Signature';
/**
 * Repeats the time `t` of the signature header.
 * Contract: 11.2, https://github.com/partner-hiring/partner-hiring/blob/main/docs/contract.md
 */
export const TIMESTAMP_HEADER = 'X-Partner-Timestamp';
/** The largest difference between `t` and the receiver's clock. Contract: 11.6. */
export const DEFAULT_TOLERANCE_SECONDS = 300;

export interface SignatureHeader {
  /** The signing time in Unix seconds. It is kept as text, because the signature covers the exact text. */
  readonly timestamp: string;
  /** All `v1` values: 64 lowercase hex digits each, two during a rotation. */
  readonly signatures: readonly string[];
}

/**
 * Matches one entry of the header: `t`, `v1`, or another name with a value in visible ASCII. `t` has at most 12 digits,
 * so that it stays exact as a number. A comma may have blanks around it, because a proxy may write a list so.
 */
const ENTRY = /(?:t=(0|[1-9]\d{0,11})|v1=([\da-f]{64})|(?!t=|v1=)[a-z]\w*=[!-~]*?)([\t ]*,[\t ]*|$)/y;

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
