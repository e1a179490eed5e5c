import type { AttemptDecision } from './attempt-decision.js';
import type { ExecuteContext } from './execute-context.js';

/** The first pause after a lost answer; each next one is twice as long. */
const FIRST_PAUSE_MS = 500;
/** An outage that is over should not be waited for much longer. */
const LONGEST_PAUSE_MS = 20_000;

/** How long to wait before the next attempt; `failures`: how many were uncertain so far. */
export function pauseMs(
  { random }: ExecuteContext,
  verdict: Exclude<AttemptDecision, { kind: 'final' }>,
  failures: number,
): number {
  // The lane or the whole key is closed by now; there it waits in the queue.
  if (verdict.kind === 'throttled') return 0;
  const growing = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));
  return verdict.waitMs + Math.ceil(growing * (0.5 + random() / 2));
}
