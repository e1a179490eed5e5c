import type { AttemptOutcome, EndpointFailure } from '../../domain/delivery.js';
import type { Optional } from '../../domain/optional.js';

/** The rights of partners on their own webhook endpoint. */
export interface EndpointRights {
  /** `GET /webhook-endpoint` shows the endpoint and its state. */
  readonly endpoint: boolean;
  /** `PUT /webhook-endpoint` sets the URL. A stolen API key can then redirect the events. */
  readonly url: boolean;
  /** `POST /webhook-endpoint/test` sends a signed test event. */
  readonly test: boolean;
  /** `POST /webhook-endpoint/pause` pauses sending. */
  readonly pause: boolean;
  /** `POST /webhook-endpoint/resume` resumes sending, unless the operator has paused it. */
  readonly resume: boolean;
  /** `POST /webhook-endpoint/rotate-secret` returns a new signing secret. A stolen API key can then forge events. */
  readonly rotateSecret: boolean;
  /** `GET /webhook-endpoint/deliveries` lists the deliveries. */
  readonly deliveries: boolean;
  /** `POST /webhook-endpoint/deliveries/{eventId}/resend` resends one event. */
  readonly resend: boolean;
  /** `POST /webhook-endpoint/resend` resends all events since an instant. */
  readonly resendSince: boolean;
}

/** A right of partners on their own webhook endpoint. */
export type EndpointRight = keyof EndpointRights;

/** The names of all rights. */
export const ENDPOINT_RIGHTS: Readonly<Record<EndpointRight, true>> = {
  endpoint: true,
  url: true,
  test: true,
  pause: true,
  resume: true,
  rotateSecret: true,
  deliveries: true,
  resend: true,
  resendSince: true,
};

/** Whether partners may do anything with `/webhook-endpoint`. */
export function offersEndpoint(rights: Optional<EndpointRights>): boolean {
  return (Object.keys(ENDPOINT_RIGHTS) as readonly EndpointRight[]).some((right) => rights[right] === true);
}

/**
 * The rights that a stolen API key cannot misuse to read or forge events: all except `url` and `rotateSecret`.
 * @example
 * createPartnerHiring({ storage, secretKey, selfService: { ...SELF_SERVICE_PRESET, url: true } });
 */
export const SELF_SERVICE_PRESET = {
  events: true,
  endpoint: true,
  test: true,
  pause: true,
  resume: true,
  deliveries: true,
  resend: true,
  resendSince: true,
} as const satisfies Partial<EndpointRights> & { readonly events: true };

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
