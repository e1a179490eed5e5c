/**
 * What came back for one delivery. `tookMs` is how long the status line took, in milliseconds: from the request's
 * beginning, or from the last piece of a body that was sent slowly.
 */
export type Answer =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** The start of the answer's body, safe to show. */
      readonly excerpt: string;
      readonly tookMs: number;
    }
  | { readonly kind: 'timed_out'; readonly tookMs: number }
  | {
      readonly kind: 'failed';
      /** The runtime's code, e.g. `ECONNREFUSED`; its message where it has no code. */
      readonly code: string;
      readonly tookMs: number;
    };

/** Whether the service would take a delivery as done. Spec: Delivery, success. */
export function isTaken(answer: Answer): boolean {
  return answer.kind === 'answered' && answer.status >= 200 && answer.status < 300;
}

/** Whether it refused by failing: a crash, a cut connection, silence. */
export function isBreakdown(answer: Answer): boolean {
  return answer.kind !== 'answered' || answer.status >= 500;
}

/** An answer in a few words. */
export function describeAnswer(answer: Answer): string {
  switch (answer.kind) {
    case 'answered':
      return `${answer.status} in ${Math.round(answer.tookMs)} ms`;
    case 'timed_out':
      return `no answer in ${Math.round(answer.tookMs)} ms`;
    case 'failed':
      return `connection failed (${answer.code})`;
  }
}
