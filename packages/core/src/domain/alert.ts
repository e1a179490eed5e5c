import type { PauseReason } from './endpoint.js';
import type { FailingFacts, FailingReason, PartnerOfKey } from './failing-endpoint.js';
import type { AlertId, EventId, KeyId } from './ids.js';
import type { InboxItemId } from './inbox.js';
import type { Instant } from './time.js';

/** The fields of every alert. */
export interface AlertHead<Kind extends string> {
  readonly id: AlertId;
  readonly kind: Kind;
  readonly keyId: KeyId;
  readonly at: Instant;
}

/** An alert about a webhook endpoint. */
export interface EndpointAlertHead<Kind extends string> extends AlertHead<Kind> {
  /** The origin of the endpoint's URL, such as `https://hooks.example`. */
  readonly origin: string;
}

/**
 * An alert as the library adds it. The storage saves it in the transaction of its cause, so each cause leads
 * to one alert. Spec: Delivery, retries, pausing.
 */
export type NewAlert =
  | (EndpointAlertHead<'endpoint_failing'> & FailingFacts & { readonly reason: FailingReason })
  | (EndpointAlertHead<'endpoint_paused'> & { readonly reason: PauseReason })
  | (EndpointAlertHead<'delivery_dead'> & { readonly eventId: EventId; readonly attempts: number })
  | (AlertHead<'inbox_item_parked'> & { readonly itemId: InboxItemId; readonly failures: number });

/** An alert for the host's operators. It names the partner. */
export type OperatorAlert = NewAlert & PartnerOfKey;

/** Returns the warning of a failing endpoint. */
export function failingAlert(
  facts: FailingFacts,
  { id, reason, at }: { readonly id: AlertId; readonly reason: FailingReason; readonly at: Instant },
): NewAlert {
  const { keyId, origin, failingSince, attempts, lastFailure } = facts;
  return { id, kind: 'endpoint_failing', keyId, at, origin, reason, failingSince, attempts, lastFailure };
}
