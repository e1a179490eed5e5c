import type { PauseReason } from './endpoint.js';
import type { AlertId, EventId, KeyId } from './ids.js';
import type { Instant } from './time.js';

/**
 * What an operator must be told. It is written in the commit of the transition it tells of, so there is
 * exactly one for each. Spec: Delivery, retries, pausing.
 */
export type OperatorAlert =
  | {
      readonly id: AlertId;
      readonly kind: 'endpoint_paused';
      readonly keyId: KeyId;
      readonly reason: PauseReason;
      readonly at: Instant;
    }
  | {
      readonly id: AlertId;
      readonly kind: 'delivery_dead';
      readonly keyId: KeyId;
      readonly eventId: EventId;
      readonly attempts: number;
      readonly at: Instant;
    };
