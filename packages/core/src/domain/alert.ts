import type { PauseReason } from './endpoint.js';
import type { AlertId, EventId, KeyId } from './ids.js';
import type { Instant } from './time.js';

/** Stored in the commit of its cause: one alert per cause. Spec: Delivery, retries, pausing. */
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
