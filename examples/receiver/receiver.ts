import { type PartnerEvent, verifyWebhook } from '@partner-hiring/webhook-verifier';
import Fastify, { type FastifyInstance } from 'fastify';
import { createSeenEvents } from './seen-events.js';

/** What came of one delivery. */
export type ReceivedDelivery =
  | { readonly kind: 'new' | 'repeated'; readonly event: PartnerEvent; readonly raw: RawDelivery }
  | { readonly kind: 'refused'; readonly reason: string; readonly hint: string };

/** A delivery as it arrived: what another verifier needs to check it too. */
export interface RawDelivery {
  readonly body: Buffer;
  readonly signature: string;
}

/** What a receiver needs. */
export interface ReceiverOptions {
  /** The signing secrets that are valid now: one, or two while one replaces the other. */
  readonly secrets: () => readonly string[] | Promise<readonly string[]>;
  /** Told of every delivery, refused ones included. */
  readonly onDelivery: (delivery: ReceivedDelivery) => void;
}

/** Where deliveries go. */
export const WEBHOOK_PATH = '/webhooks';

/**
 * A partner's receiver: it verifies the bytes as they arrived, skips what it has seen, and answers at once.
 * What takes long belongs behind the answer: the service waits 30 seconds, then sends again.
 */
export function createReceiver({ secrets, onDelivery }: ReceiverOptions): FastifyInstance {
  const app = Fastify();
  const isNew = createSeenEvents();
  // The signature covers the bytes, so no parser may touch them before.
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
