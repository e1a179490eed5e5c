import type { WebhookHeaders } from '../header-value.js';
import { isRawBody } from '../raw-body.js';
import { type NodeStream, readStream } from '../read-stream.js';
import { createReceiver, type WebhookReceiverOptions } from '../receiver.js';

export type { PartnerEvent } from '../events.js';
export type { ReceiverRefusal, ReceiverRefusalReason, WebhookReceiverOptions } from '../receiver.js';

/** The parts of an Express request that the receiver uses. */
export interface ExpressWebhookRequest extends NodeStream {
  readonly headers: WebhookHeaders;
  readonly readableDidRead: boolean;
  readonly readableFlowing: boolean | null;
  readonly body?: unknown;
  /** The raw bytes of the body, if a body parser keeps them. */
  readonly rawBody?: unknown;
}

/** The parts of an Express response that the receiver uses. */
export interface ExpressWebhookResponse {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(body?: string): unknown;
}

/** A handler for Express 4 and 5. */
export type ExpressWebhookHandler = (
  request: ExpressWebhookRequest,
  response: ExpressWebhookResponse,
  next: (error?: unknown) => void,
) => void;

const PARSED =
  'A body parser has already read the bytes. Mount partnerWebhooksExpress before app.use(express.json()), or put ' +
  'express.raw({ type: "application/json" }) on its route, before any other parser.';

/**
 * Receives webhooks in Express 4 and 5. Mount it before any body parser. Reads the raw body itself, or uses the
 * result of `express.raw()` or `express.text()`, or `rawBody`. Verifies it, calls `onEvent`, and returns 204, or 400
 * with the reason. Errors of `onEvent`, `onRefused` and `secret` go to `next`.
 * @throws TypeError if an option is invalid.
 * @example
 * ```ts
 * app.post(
 *   '/webhooks',
 *   partnerWebhooksExpress({
 *     secret: process.env.WEBHOOK_SECRET ?? '',
 *     onEvent: (event) => console.log(event.type, event.id),
 *   }),
 * );
 * ```
 */
export function partnerWebhooksExpress(options: WebhookReceiverOptions): ExpressWebhookHandler {
  const { receive, maxBytes } = createReceiver(options, PARSED);
  return (request, response, next) => {
    findBody(request, maxBytes)
      .then((found) => receive(request.headers, found))
      .then(({ status, body }) => {
        response.statusCode = status;
        if (status === 413) response.setHeader('Connection', 'close');
        if (body === null) return response.end();
        response.setHeader('Content-Type', 'application/json');
        return response.end(body);
      })
      .catch(next);
  };
}

/**
 * Returns the raw body that a parser has kept, or reads it from the stream. Returns a parsed `body` only if the stream
 * was already read, because many parsers set `body` without reading the stream.
 */
async function findBody(request: ExpressWebhookRequest, maxBytes: number): Promise<unknown> {
  const { rawBody, body, readableDidRead, readableFlowing } = request;
  const raw = [rawBody, body].find(isRawBody);
  if (raw !== undefined) return raw;
  return readableDidRead || readableFlowing === true ? body : readStream(request, maxBytes);
}
