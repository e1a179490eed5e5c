import { type PartnerEvent, verifyWebhook } from '@partner-hiring/webhook-verifier';
import Fastify, { type FastifyInstance } from 'fastify';
import { createSeenEvents } from './seen-events.js';

/** The result of one delivery. */
export type ReceivedDelivery =
  | { readonly kind: 'new' | 'repeated'; readonly event: PartnerEvent; readonly raw: RawDelivery }
  | { readonly kind: 'refused'; readonly reason: string; readonly hint: string };

/** The raw delivery, so that another verifier can check it. */
export interface RawDelivery {
  readonly body: Buffer;
  readonly signature: string;
}

/** Options of the receiver. */
export interface ReceiverOptions {
  /** The valid signing secrets: two during a rotation. */
  readonly secrets: () => readonly string[] | Promise<readonly string[]>;
  /** Called with every delivery, including rejected ones. */
  readonly onDelivery: (delivery: ReceivedDelivery) => void;
}

/** The path of the webhook. */
export const WEBHOOK_PATH = '/webhooks';

/**
 * A partner's receiver: verifies the raw bytes, skips duplicates, and responds at once. Do slow work after the response:
 * the service waits 30 seconds, then retries.
 */
export function createReceiver({ secrets, onDelivery }: ReceiverOptions): FastifyInstance {
  const app = Fastify();
  const isNew = createSeenEvents();
  // The signature covers the raw bytes, so the body must not be parsed before it is verified.
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
  app.post<{ Body: Buffer }>(WEBHOOK_PATH, async ({ body, headers }, reply) => {
    const verified = await verifyWebhook({ body, headers, secret: await secrets() });
    if (!verified.ok) {
      const { reason, hint } = verified;
      onDelivery({ kind: 'refused', reason, hint });
      return reply.code(400).send({ reason });
    }
    const { event } = verified;
    const raw = { body, signature: String(headers['x-partner-signature']) };
    onDelivery({ kind: isNew(event.id) ? 'new' : 'repeated', event, raw });
    return reply.code(204).send();
  });
  return app;
}
