import type { AttemptOutcome, EndpointFailure } from '@partner-hiring/core';

type Failure = Extract<AttemptOutcome, { readonly kind: 'failed' }>['failure'];

const FAILURES: Readonly<Record<Failure, string>> = {
  url_refused: 'URL not allowed',
  address_refused: 'address not allowed',
  name_not_resolved: 'host name not found',
  connection_failed: 'could not connect',
  tls_failed: 'certificate not accepted',
  proxy_refused: 'the proxy refused it',
  timed_out: 'no answer in time',
  protocol_error: 'the answer is not HTTP',
};

/** Says how an attempt ended, such as `HTTP 500` or `no answer in time`. A dash for null. */
export function outcomeSentence(outcome: AttemptOutcome | EndpointFailure | null): string {
  if (outcome === null) return '–';
  if (outcome.kind === 'answered') {
    const odd =
      'oddAnswer' in outcome && outcome.oddAnswer !== undefined ? `, odd_answer: ${outcome.oddAnswer}` : '';
    return `HTTP ${outcome.status}${odd}`;
  }
  return FAILURES[outcome.failure];
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
