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
