import type { WebhookHeaders } from '../header-value.js';
import { type NodeStream, readStream } from '../read-stream.js';
import { createReceiver, type WebhookReceiverOptions } from '../receiver.js';

export type { PartnerEvent } from '../events.js';
export type { ReceiverRefusal, ReceiverRefusalReason, WebhookReceiverOptions } from '../receiver.js';

/** What a mounted receiver is told, and where it lies. */
export interface FastifyWebhookOptions extends WebhookReceiverOptions {
  /** The route, below the prefix that the plugin is registered with, if any: `/webhooks`. */
  readonly path: string;
}

/** What is used of a Fastify instance. */
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

/** What is used of a Fastify request. */
export interface FastifyWebhookRequest {
  readonly headers: WebhookHeaders;
  readonly body: unknown;
}

/** What is used of a Fastify reply. */
export interface FastifyWebhookReply {
  code(status: number): unknown;
  header(name: string, value: string): unknown;
  send(body?: string): unknown;
}

/** A plugin as Fastify 4 and 5 take it. */
export type FastifyWebhookPlugin = (scope: FastifyWebhookScope) => Promise<void>;

const PARSED =
  'A hook of the application has replaced the body by something parsed. Leave request.body as it is on this route: ' +
  'register partnerWebhooksFastify beside, not below, what adds preParsing, preValidation or preHandler hooks.';

/**
 * Receives webhooks in Fastify: `await app.register(partnerWebhooksFastify({ path: '/webhooks', secret, onEvent }))`.
 * It reads the raw body itself, by a content type parser of its own that the rest of the application does not see;
 * it verifies it, hands the event to `onEvent` and answers 204, or 400 with the reason. What `onEvent`, `onRefused` or
 * `secret` throw goes to the error handler.
 *
 * @throws TypeError if the options are wrong, so that a receiver without a secret does not start.
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
