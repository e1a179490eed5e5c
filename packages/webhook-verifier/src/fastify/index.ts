import type { WebhookHeaders } from '../header-value.js';
import { type NodeStream, readStream } from '../read-stream.js';
import { createReceiver, type WebhookReceiverOptions } from '../receiver.js';

export type { PartnerEvent } from '../events.js';
export type { ReceiverRefusal, ReceiverRefusalReason, WebhookReceiverOptions } from '../receiver.js';

/** Options of `partnerWebhooksFastify`. */
export interface FastifyWebhookOptions extends WebhookReceiverOptions {
  /** The route, below the plugin's prefix: `/webhooks`. */
  readonly path: string;
}

/** The parts of a Fastify instance that the receiver uses. */
export interface FastifyWebhookScope {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    contentType: string,
    parser: (request: unknown, payload: NodeStream) => Promise<unknown>,
  ): unknown;
  post(
    path: string,
    handler: (request: FastifyWebhookRequest, reply: FastifyWebhookReply) => Promise<unknown>,
  ): unknown;
}

/** The parts of a Fastify request that the receiver uses. */
export interface FastifyWebhookRequest {
  readonly headers: WebhookHeaders;
  readonly body: unknown;
}

/** The parts of a Fastify reply that the receiver uses. */
export interface FastifyWebhookReply {
  code(status: number): unknown;
  header(name: string, value: string): unknown;
  send(body?: string): unknown;
}

/** A plugin for Fastify 4 and 5. */
export type FastifyWebhookPlugin = (scope: FastifyWebhookScope) => Promise<void>;

const PARSED =
  'A hook has replaced the body with a parsed one. Do not change request.body on this route: ' +
  'register partnerWebhooksFastify beside, not below, the plugin that adds preParsing, preValidation or preHandler hooks.';

/**
 * Receives webhooks in Fastify. Reads the raw body with an encapsulated content type parser, so your other routes
 * keep theirs. Verifies it, calls `onEvent`, and returns 204, or 400 with the reason. Errors of `onEvent`,
 * `onRefused` and `secret` go to the error handler.
 * @throws TypeError if an option is invalid.
 * @example
 * ```ts
 * await app.register(
 *   partnerWebhooksFastify({
 *     path: '/webhooks',
 *     secret: process.env.WEBHOOK_SECRET ?? '',
 *     onEvent: (event) => console.log(event.type, event.id),
 *   }),
 * );
 * ```
 */
export function partnerWebhooksFastify(options: FastifyWebhookOptions): FastifyWebhookPlugin {
  const { receive, maxBytes } = createReceiver(options, PARSED);
  return async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload) => readStream(payload, maxBytes));
    scope.post(options.path, async (request, reply) => {
      const { status, body } = await receive(request.headers, request.body);
      reply.code(status);
      if (status === 413) reply.header('Connection', 'close');
      if (body === null) return reply.send();
      reply.header('Content-Type', 'application/json');
      return reply.send(body);
    });
  };
}
