import type { BulkSending } from '@partner-hiring/core';
import type { AttemptOutcome, EndpointFailure } from '@partner-hiring/core/ports';

/** Returns the HTTP status of an attempt, such as `HTTP 500`, or the code of its network failure. */
export function describeOutcome(outcome: AttemptOutcome | EndpointFailure): string {
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

/** Says how many deliveries a command sends, or would send. */
export function sendingText({ count, operation }: BulkSending, isDryRun: boolean): string {
  if (isDryRun) return `Would redeliver ${count}.`;
  const rest = operation === null ? '' : ` The worker sends the rest: operations show ${operation.id}`;
  return `Redelivering ${count}.${rest}`;
}
