import type { WebhookHeaders } from '../header-value.js';
import { isRawBody } from '../raw-body.js';
import { type NodeStream, readStream } from '../read-stream.js';
import { createReceiver, type WebhookReceiverOptions } from '../receiver.js';

export type { PartnerEvent } from '../events.js';
export type { ReceiverRefusal, ReceiverRefusalReason, WebhookReceiverOptions } from '../receiver.js';

/** What is used of an Express request: no more than Node's own, and what body parsers leave on it. */
export interface ExpressWebhookRequest extends NodeStream {
  readonly headers: WebhookHeaders;
  readonly readableDidRead: boolean;
  readonly readableFlowing: boolean | null;
  readonly body?: unknown;
  /** The bytes, where something in front keeps them beside what it parsed. */
  readonly rawBody?: unknown;
}

/** What is used of an Express response: no more than Node's own. */
export interface ExpressWebhookResponse {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(body?: string): unknown;
}

/** A handler as Express 4 and 5 take it. */
export type ExpressWebhookHandler = (
  request: ExpressWebhookRequest,
  response: ExpressWebhookResponse,
  next: (error?: unknown) => void,
) => void;

const PARSED =
  'A body parser in front has taken the bytes. Mount partnerWebhooksExpress before app.use(express.json()), or put ' +
  'express.raw({ type: "application/json" }) on its route, before any other parser.';

/**
 * Receives webhooks in Express 4 and 5: `app.post('/webhooks', partnerWebhooksExpress({ secret, onEvent }))`, before
 * any body parser. It reads the raw body itself, or takes what `express.raw()` or `express.text()` read, or a
 * `rawBody`; it verifies it, hands the event to `onEvent` and answers 204, or 400 with the reason. What `onEvent`,
 * `onRefused` or `secret` throw goes to `next`.
 *
 * @throws TypeError if the options are wrong, so that a receiver without a secret does not start.
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

/** What parsers left, if they read anything: many set `body` without having done so. */
async function findBody(request: ExpressWebhookRequest, maxBytes: number): Promise<unknown> {
  const { rawBody, body, readableDidRead, readableFlowing } = request;
  const raw = [rawBody, body].find(isRawBody);
  if (raw !== undefined) return raw;
  return readableDidRead || readableFlowing === true ? body : readStream(request, maxBytes);
}
