import { type Endpoint, type PauseReason, RESTORE_MS } from './endpoint.js';
import { type FailingFacts, type FailingReason, originOf, type PartnerOfKey } from './failing-endpoint.js';
import type { AlertId, EventId, KeyId, OperationId } from './ids.js';
import type { InboxItemId } from './inbox.js';
import { type PartnerMessage, secretRotatedMessage, urlChangedMessage } from './partner-message.js';
import type { Instant } from './time.js';

/** The fields of every alert about a key. */
export interface AlertHead<Kind extends string> {
  readonly id: AlertId;
  readonly kind: Kind;
  readonly keyId: KeyId;
  readonly at: Instant;
}

/**
 * An alert as the library adds it. The storage saves it in the transaction of its cause, so each cause leads
 * to one alert. Spec: Delivery, retries, pausing.
 */
export type NewAlert = NewKeyAlert | SyncHeldAlert;

/** An alert about a key, without its partner. */
export type NewKeyAlert =
  | (AlertHead<'endpoint_failing'> & FailingFacts & { readonly reason: FailingReason })
  | (AlertHead<'endpoint_paused'> & {
      /** The origin of the endpoint's URL, such as `https://hooks.example`. */
      readonly origin: string;
      readonly reason: PauseReason;
    })
  | (AlertHead<'delivery_dead'> & {
      /** The origin of the endpoint's URL. */
      readonly origin: string;
      readonly eventId: EventId;
      readonly attempts: number;
    })
  | (AlertHead<'endpoint_url_changed'> & {
      /** The origin of the new URL. */
      readonly origin: string;
      /** The origin of the URL before. Null if the endpoint is new. */
      readonly oldOrigin: string | null;
      /** Until when `restoreUrl` restores the old URL. Null if the endpoint is new. */
      readonly restorableUntil: Instant | null;
      /** For the partner's contact. */
      readonly message: PartnerMessage;
    })
  | (AlertHead<'signing_secret_rotated'> & {
      /** The origin of the endpoint's URL. */
      readonly origin: string;
      readonly oldSecretsExpireAt: Instant;
      /** For the partner's contact. */
      readonly message: PartnerMessage;
    })
  | (AlertHead<'inbox_item_parked'> & { readonly itemId: InboxItemId; readonly failures: number });

/**
 * A sync of jobs has not closed the missing jobs, because there were too many. If the next runs are held too, they
 * raise no alert.
 */
export interface SyncHeldAlert {
  readonly id: AlertId;
  readonly kind: 'jobs_sync_held';
  readonly at: Instant;
  readonly operationId: OperationId;
  /** How many jobs the source no longer has. */
  readonly missing: number;
  /** How many open jobs the sync keeps in step, including the missing ones. */
  readonly open: number;
}

/** An alert for the host's operators. An alert about a key names the partner. */
export type OperatorAlert = (NewKeyAlert & PartnerOfKey) | SyncHeldAlert;

/** Returns the warning of a failing endpoint. */
export function failingAlert(
  facts: FailingFacts,
  { id, reason, at }: { readonly id: AlertId; readonly reason: FailingReason; readonly at: Instant },
): NewKeyAlert {
  const { keyId, origin, failingSince, attempts, lastFailure } = facts;
  return { id, kind: 'endpoint_failing', keyId, at, origin, reason, failingSince, attempts, lastFailure };
}

/** Returns the alert that a partner has set the URL of its endpoint. `old` is the endpoint before, or null. */
export function urlChangedAlert(
  endpoint: Pick<Endpoint, 'keyId' | 'url'>,
  old: Pick<Endpoint, 'url'> | null,
  { id, at }: { readonly id: AlertId; readonly at: Instant },
): NewKeyAlert {
  const facts = {
    at,
    origin: originOf(endpoint.url),
    oldOrigin: old === null ? null : originOf(old.url),
    restorableUntil: old === null ? null : at + RESTORE_MS,
  };
  const { keyId } = endpoint;
  return { id, kind: 'endpoint_url_changed', keyId, ...facts, message: urlChangedMessage(facts) };
}

/** Returns the alert that a partner has rotated the signing secret of its endpoint. */
export function secretRotatedAlert(
  { keyId, url }: Pick<Endpoint, 'keyId' | 'url'>,
  { id, at, oldSecretsExpireAt }: { id: AlertId; at: Instant; oldSecretsExpireAt: Instant },
): NewKeyAlert {
  const facts = { at, oldSecretsExpireAt };
  const message = secretRotatedMessage(facts);
  return { id, kind: 'signing_secret_rotated', keyId, origin: originOf(url), ...facts, message };
}
