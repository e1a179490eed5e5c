/**
 * The result of one delivery. `tookMs` is the time to the status line, from the start of the request or, for a slow
 * body, from its last piece.
 */
export type Answer =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** The start of the response body, sanitized. */
      readonly excerpt: string;
      readonly tookMs: number;
    }
  | { readonly kind: 'timed_out'; readonly tookMs: number }
  | {
      readonly kind: 'failed';
      /** The error code of the runtime, such as `ECONNREFUSED`, or its message. */
      readonly code: string;
      readonly tookMs: number;
    };

/** Whether the delivery succeeded. Spec: Delivery, success. */
export function isTaken(answer: Answer): boolean {
  return answer.kind === 'answered' && answer.status >= 200 && answer.status < 300;
}

/** Whether the receiver failed instead of responding. */
export function isBreakdown(answer: Answer): boolean {
  return answer.kind !== 'answered' || answer.status >= 500;
}

export function describeAnswer(answer: Answer): string {
  switch (answer.kind) {
    case 'answered':
      return `${answer.status} in ${Math.round(answer.tookMs)} ms`;
    case 'timed_out':
      return `no response in ${Math.round(answer.tookMs)} ms`;
    case 'failed':
      return `connection failed (${answer.code})`;
  }
}
