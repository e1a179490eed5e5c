import type { AttemptOutcome } from '@partner-hiring/core';

/** Says how an attempt ended, such as `HTTP 500` or `timed out`. A dash for null. */
export function outcomeSentence(outcome: AttemptOutcome | null): string {
  if (outcome === null) return '–';
  if (outcome.kind === 'answered') {
    const odd = outcome.oddAnswer === undefined ? '' : `, odd_answer: ${outcome.oddAnswer}`;
    return `HTTP ${outcome.status}${odd}`;
  }
  return outcome.failure.replaceAll('_', ' ');
}

/** Writes a latency, such as `120 ms` or `2.4 s`. A dash for null. */
export function latencyText(ms: number | null): string {
  if (ms === null) return '–';
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

/** Writes `2` as `2nd`. */
export function ordinal(number: number): string {
  const endings: Readonly<Record<number, string>> = { 1: 'st', 2: 'nd', 3: 'rd' };
  const isTeen = number % 100 >= 11 && number % 100 <= 13;
  return `${number}${isTeen ? 'th' : (endings[number % 10] ?? 'th')}`;
}
