import type { AttemptOutcome } from '@partner-hiring/core/ports';

/** Describes an outcome in a word. */
export function describeOutcome(outcome: AttemptOutcome): string {
  return outcome.kind === 'answered' ? `HTTP ${outcome.status}` : outcome.failure;
}

/** Returns the start of the response, or the network error. */
export function outcomeText(outcome: AttemptOutcome): string {
  return outcome.kind === 'answered' ? outcome.excerpt : outcome.message;
}

/** Formats a duration. A dash means unknown. */
export function duration(ms: number | null): string {
  if (ms === null) return '-';
  if (ms < 1_000) return `${ms} ms`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
