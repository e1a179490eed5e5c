import { WIRE_ERRORS } from '../../domain/wire-errors.js';
import type { WireOwn } from './wire-schemas.js';

const AT = '2026-11-21T10:15:30.123Z';
const EVENT_ID = 'evt_01k2f9';

const ENDPOINT = {
  url: 'https://ats.example/webhooks',
  state: 'active',
  pausedReason: null,
  pausedAt: null,
  failingSince: null,
  consecutiveFailures: 0,
  lastSuccessAt: AT,
  lastFailure: null,
  createdAt: AT,
} as const;

const DELIVERY = {
  eventId: EVENT_ID,
  type: 'job.opened',
  occurredAt: AT,
  state: 'dead',
  attempts: 10,
  nextAttemptAt: null,
  deliveredAt: null,
  lastFailure: { kind: 'status', status: 503 },
} as const;

/** Examples of the responses of `/webhook-endpoint`. */
export const OWN_SAMPLES: Readonly<Record<WireOwn | 'refused', unknown>> = {
  WebhookEndpoint: ENDPOINT,
  ChangedWebhookEndpoint: ENDPOINT,
  WebhookTest: { eventId: 'evt_00000000008f3k2m', delivered: true, failure: null, latencyMs: 84 },
  RotatedWebhookSecret: { signingSecret: 'whsec_new', oldSecretsExpireAt: AT },
  WebhookDelivery: DELIVERY,
  WebhookDeliveryPage: { data: [DELIVERY] },
  ResentWebhookEvent: { eventId: EVENT_ID, state: 'pending' },
  WebhookResend: { since: AT, state: 'running' },
  refused: {
    error: 'VALIDATION_ERROR',
    message: WIRE_ERRORS.VALIDATION_ERROR.message,
    details: {
      errors: [
        {
          field: 'url',
          code: 'endpoint_tls',
          message: 'No TLS connection to the URL could be made: check its certificate.',
        },
      ],
    },
  },
};
