import type { AttemptOutcome, EndpointFailure } from './delivery.js';

/**
 * Why an endpoint did not accept an event, as partners see it: `status`, its answer was no 2xx; `timeout`; `tls`, its
 * certificate was not accepted; `refused`, it could not be reached.
 */
export type EndpointFailureKind = 'status' | 'timeout' | 'tls' | 'refused';

/** Why an attempt failed. No address, and nothing of the answer. */
export interface OwnFailure {
  readonly kind: EndpointFailureKind;
  /** The status of the answer; null without one. */
  readonly status: number | null;
}

/** Returns why an attempt failed, as partners see it. */
export function ownFailure(failure: AttemptOutcome | EndpointFailure): OwnFailure {
  return { kind: failureKind(failure), status: failure.kind === 'answered' ? failure.status : null };
}

const FAILURES: Readonly<Record<EndpointFailureKind, string>> = {
  status: 'it answered with an error',
  timeout: 'it did not answer in time',
  tls: 'its certificate was not accepted',
  refused: 'it could not be reached',
};

/**
 * Says how an endpoint failed, in words for its partner.
 * @example
 * failureWords({ kind: 'status', status: 503 }); // 'it answered 503'
 */
export function failureWords({ kind, status }: OwnFailure): string {
  return status === null ? FAILURES[kind] : `it answered ${status}`;
}

/**
 * Returns why an attempt failed. Private addresses, unknown names, closed ports and answers that are not HTTP look
 * alike. So the reason tells nothing about a network.
 */
export function failureKind(outcome: AttemptOutcome | EndpointFailure): EndpointFailureKind {
  if (outcome.kind === 'answered') return 'status';
  if (outcome.failure === 'timed_out') return 'timeout';
  return outcome.failure === 'tls_failed' ? 'tls' : 'refused';
}
