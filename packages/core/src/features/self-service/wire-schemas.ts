import * as z from 'zod';
import { EVENT_TYPES } from '../../domain/event.js';
import { dateTime, openEnum, textUpTo } from '../../http/wire-schemas/resources.js';

const instant = dateTime;

/** Why an endpoint did not accept an event. */
export const failureSchema = z
  .object({
    kind: openEnum(
      ['status', 'timeout', 'tls', 'refused'],
      '`status`: it answered with another status than 2xx. `timeout`: it did not answer in time. `tls`: no TLS connection. `refused`: no HTTP connection, or no public address.',
    ),
    status: z.int().nullable().describe('The HTTP status. Null without an answer.'),
  })
  .describe('Why an endpoint did not accept an event.');

export const endpointSchema = z
  .object({
    url: z.string().describe('If you may not set it, `?…` replaces its query, which may contain a secret.'),
    state: openEnum(['active', 'paused'], 'Whether events are sent.'),
    // The conversion to OpenAPI 3.0 cannot open an enum that may be null.
    pausedReason: textUpTo(64)
      .nullable()
      .describe(
        'Null while it is active. `partner`: you paused it. Others: `consecutive_failures`, `no_success`, `gone`, `operator`. Expect more.',
      ),
    pausedAt: instant().nullable(),
    failingSince: instant().nullable().describe('The first failed attempt since the last success.'),
    consecutiveFailures: z.int().min(0),
    lastSuccessAt: instant().nullable(),
    lastFailure: failureSchema.nullable(),
    createdAt: instant(),
  })
  .describe('Your webhook endpoint.');

export const changedEndpointSchema = endpointSchema
  .extend({
    signingSecret: z
      .string()
      .optional()
      .describe('Only for a new endpoint, and only in this response. Store it: it verifies signatures.'),
  })
  .describe('Your webhook endpoint after a change of its URL.');

export const endpointTestSchema = z
  .object({
    eventId: z.string().describe('The id of the test event. It has ten zeros after `evt_`.'),
    delivered: z.boolean(),
    failure: failureSchema.nullable(),
    latencyMs: z.int().min(0),
  })
  .describe('The result of a test event.');

export const rotatedSecretSchema = z
  .object({
    signingSecret: z.string().describe('Only in this response.'),
    oldSecretsExpireAt: instant().describe('Until then, the old secrets sign too.'),
  })
  .describe('A new signing secret.');

const stateSchema = () =>
  openEnum(
    ['pending', 'delivered', 'dead', 'cancelled'],
    '`dead`: ten attempts failed. Send it again to start over. `cancelled`: only the operator sends it again.',
  );

export const deliverySchema = z
  .object({
    eventId: z.string(),
    type: openEnum(EVENT_TYPES, 'The type of the event.'),
    occurredAt: instant(),
    state: stateSchema(),
    attempts: z.int().min(0),
    nextAttemptAt: instant().nullable(),
    deliveredAt: instant().nullable(),
    lastFailure: failureSchema.nullable().describe('Why the last attempt failed. Null if it did not.'),
  })
  .describe('An event on its way to your endpoint.');

export const deliveryPageSchema = z
  .object({
    data: z.array(deliverySchema).describe('Newest event first.'),
    next_cursor: z.string().optional().describe('Absent on the last page.'),
  })
  .describe('A page of deliveries.');

export const resentSchema = z
  .object({ eventId: z.string(), state: stateSchema() })
  .describe('A delivery that is sent again.');

export const resendSchema = z
  .object({ since: instant(), state: openEnum(['running'], 'Always `running` today.') })
  .describe('Events that are being sent again.');

export type WireFailure = z.infer<typeof failureSchema>;
export type WireEndpoint = z.infer<typeof endpointSchema>;
export type WireTest = z.infer<typeof endpointTestSchema>;
export type WireOwnDelivery = z.infer<typeof deliverySchema>;

/** The name of a schema of `/webhook-endpoint`. */
export type WireOwn =
  | 'WebhookEndpoint'
  | 'ChangedWebhookEndpoint'
  | 'WebhookTest'
  | 'RotatedWebhookSecret'
  | 'WebhookDelivery'
  | 'WebhookDeliveryPage'
  | 'ResentWebhookEvent'
  | 'WebhookResend';

/** The schemas of `/webhook-endpoint` by name. */
export const OWN_SCHEMAS: Readonly<Record<WireOwn, z.ZodType>> = {
  WebhookEndpoint: endpointSchema,
  ChangedWebhookEndpoint: changedEndpointSchema,
  WebhookTest: endpointTestSchema,
  RotatedWebhookSecret: rotatedSecretSchema,
  WebhookDelivery: deliverySchema,
  WebhookDeliveryPage: deliveryPageSchema,
  ResentWebhookEvent: resentSchema,
  WebhookResend: resendSchema,
};
