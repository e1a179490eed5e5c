import { isError } from '../../domain/any-realm.js';
import { codeOf, TransportError } from './transport-error.js';

/** An answer that is not HTTP to the letter, but has a complete status line. Only what its start shows is known. */
export interface OddAnswer {
  readonly status: number;
  /** What the parser says, such as `Invalid header token`, or a code, such as `timed_out`. */
  readonly reason: string;
  readonly retryAfter: string | undefined;
}

/** The most bytes of an answer to look at. */
export const MAX_START_BYTES = 1_024;

const LEADING_LINES = /^[\r\n]+/;
const STATUS_LINE = /^HTTP\/[\d.]+[ \t]+([1-9]\d\d)(?:[ \t]|\r?\n)/i;
/** The start of an answer with all its header lines, up to the empty line. */
const HEAD = /^[\s\S]*?\r?\n(?=(\r?\n))/;
/** A value whose line is cut off does not count. */
const RETRY_AFTER = /\nretry-after[ \t]*:([^\r\n]*)\r?\n/i;

/**
 * Reads the status of an answer that the parser refused, from its first bytes. Null if they have no complete status line.
 * Interim responses (1xx) are skipped.
 */
export function readOddAnswer(start: Buffer, error: unknown): OddAnswer | null {
  let text = start.subarray(0, MAX_START_BYTES).toString('latin1').replace(LEADING_LINES, '');
  for (let line = STATUS_LINE.exec(text); line !== null; line = STATUS_LINE.exec(text)) {
    const status = Number(line[1]);
    const head = HEAD.exec(text);
    if (status >= 200) {
      const retryAfter = RETRY_AFTER.exec(head?.[0] ?? text)?.[1]?.trim();
      return { status, reason: reasonOf(error), retryAfter };
    }
    if (head === null) return null;
    text = text.slice(head[0].length + (head[1] ?? '').length);
  }
  return null;
}

/** The parser's errors have no code. */
const PARSER_SAYS = /^Response does not match the HTTP\/1\.1 protocol \((.+)\)$/;

function reasonOf(error: unknown): string {
  if (error instanceof TransportError) return error.failure;
  const said = isError(error) ? PARSER_SAYS.exec(error.message)?.[1] : undefined;
  return said ?? codeOf(error) ?? 'protocol_error';
}
