import type { AttemptEnd } from '../../domain/delivery.js';
import type { Endpoint } from '../../domain/endpoint.js';
import type { PartnerEvent } from '../../domain/event.js';

/** Sends an event to an endpoint once, signed as any other, and says how that ended. Nothing is recorded. */
export type SendOnce = (endpoint: Endpoint, event: PartnerEvent) => Promise<AttemptEnd>;
