import type { DeliveryState } from '../../domain/delivery.js';
import type { EndpointState, PauseReason } from '../../domain/endpoint.js';
import type { EndpointFailureKind, OwnFailure } from '../../domain/endpoint-failure.js';
import type { EventType } from '../../domain/event.js';
import type { EventId } from '../../domain/ids.js';
import type { UsedKey } from '../../domain/partner-key.js';
import type { Instant } from '../../domain/time.js';

/** An endpoint as its partner may see it: what `GET /webhook-endpoint` returns. */
export interface OwnEndpoint {
  readonly url: string;
  readonly state: EndpointState['kind'];
  /** Null while it is active. Partners need not know that somebody claimed a copy of the database. */
  readonly pausedReason: Exclude<PauseReason, 'copied'> | null;
  readonly pausedAt: Instant | null;
  /** The first failed attempt since the last success. Null if it is not failing. */
  readonly failingSince: Instant | null;
  readonly consecutiveFailures: number;
  readonly lastSuccessAt: Instant | null;
  /** Null if it is not failing. */
  readonly lastFailure: OwnFailure | null;
  readonly createdAt: Instant;
}

/** A delivery as its partner may see it: a row of `GET /webhook-endpoint/deliveries`. */
export interface OwnDelivery {
  readonly eventId: EventId;
  readonly type: EventType;
  readonly occurredAt: Instant;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly nextAttemptAt: Instant | null;
  /** The last success. An event that is resent keeps it. */
  readonly deliveredAt: Instant | null;
  /** Why the last attempt failed. Null if it did not. */
  readonly lastFailure: OwnFailure | null;
}

/** Why an act did nothing. */
export type OwnRefusal =
  | { readonly kind: 'no_endpoint' | 'no_event' | 'paused_by_operator' | 'already_resending' }
  /** The operator cancelled the delivery. */
  | { readonly kind: 'cancelled_by_operator' }
  /** The key, its secret or its partner has ended meanwhile. */
  | { readonly kind: 'key_ended' }
  /** This machine has no network. */
  | { readonly kind: 'no_network' }
  | { readonly kind: 'invalid_cursor' }
  /** The message names the secrets. */
  | { readonly kind: 'too_many_secrets'; readonly message: string }
  /** The rule says what a URL must be. */
  | { readonly kind: 'invalid_url'; readonly rule: string }
  /** The URL did not accept the test event. */
  | { readonly kind: 'not_proven'; readonly failure: EndpointFailureKind };

/** The result of an act, or why it did nothing. */
export type Own<Result> =
  | { readonly kind: 'done'; readonly result: Result }
  | { readonly kind: 'refused'; readonly refusal: OwnRefusal };

/** The endpoint after a change of its URL. */
export interface ChangedUrl {
  readonly endpoint: OwnEndpoint;
  /** The signing secret of a new endpoint. Null if the endpoint existed. */
  readonly signingSecret: string | null;
}

/** The result of a test. */
export interface EndpointTest {
  readonly eventId: EventId;
  readonly isSuccess: boolean;
  /** Null without an answer. */
  readonly status: number | null;
  /** Null after a success. */
  readonly failure: EndpointFailureKind | null;
  readonly latencyMs: number;
}

/** The acts of a partner on the endpoint of its own key. The operator's commands do the work, in the partner's name. */
export interface EndpointSelfService<Key = UsedKey> {
  find(key: Key): Promise<Own<OwnEndpoint>>;
  /** Sends a signed test event to a new URL. If it is accepted, sets the URL. */
  setUrl(key: Key, url: string): Promise<Own<ChangedUrl>>;
  test(key: Key): Promise<Own<EndpointTest>>;
  pause(key: Key): Promise<Own<OwnEndpoint>>;
  resume(key: Key, options: { readonly retryNow: boolean }): Promise<Own<OwnEndpoint>>;
  /** Replaces the signing secret. @throws OperatorError `SECRET_REPLACED` if `ifCurrent` is not the current `signingSecretId`. */
  rotateSecret(
    key: Key,
    options: { readonly overlapMs: number; readonly ifCurrent?: string | undefined },
  ): Promise<Own<{ readonly signingSecret: string; readonly oldSecretsExpireAt: Instant }>>;
  listDeliveries(
    key: Key,
    query: {
      readonly state: DeliveryState | null;
      readonly cursor: string | null;
      readonly limit: number;
    },
  ): Promise<Own<{ readonly items: readonly OwnDelivery[]; readonly nextCursor: string | null }>>;
  resend(key: Key, eventId: EventId): Promise<Own<Pick<OwnDelivery, 'eventId' | 'state'>>>;
  /** Starts an operation that resends all events since an instant. One at a time for each key. */
  resendSince(key: Key, since: Instant): Promise<Own<{ readonly since: Instant }>>;
}
