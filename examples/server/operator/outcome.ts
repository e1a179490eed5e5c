import type { AttemptOutcome } from '@partner-hiring/core/ports';

/** What an attempt met, in a word. */
export function describeOutcome(outcome: AttemptOutcome): string {
  return outcome.kind === 'answered' ? `HTTP ${outcome.status}` : outcome.failure;
}

/** What came with it: the start of the answer, or what the network said. */
export function outcomeText(outcome: AttemptOutcome): string {
  return outcome.kind === 'answered' ? outcome.excerpt : outcome.message;
}

/** How long something took; a dash if it is not known. */
export function duration(ms: number | null): string {
  if (ms === null) return '-';
  if (ms < 1_000) return `${ms} ms`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
