import { concatenate } from '../read-stream.js';
import { BODY_TIMEOUT_MS, createReceiver, TOO_LARGE, type WebhookReceiverOptions } from '../receiver.js';

export type { PartnerEvent } from '../events.js';
export type { ReceiverRefusal, ReceiverRefusalReason, WebhookReceiverOptions } from '../receiver.js';

/** A handler that takes a `Request` and returns a `Response`. */
export type WebhookFetchHandler = (request: Request) => Promise<Response>;

const PARSED =
  'The body of the request was already read. Pass the untouched request: in Hono c.req.raw, before any validator ' +
  'and c.req.json(); in Next the request of a route handler, before request.json().';

/**
 * Receives webhooks in Next, Hono, Deno, Bun and workers. Reads and verifies the raw body, calls `onEvent`, and
 * returns 204, or 400 with the reason. Rejects with errors of `onEvent`, `onRefused` and `secret`, or if the request
 * is aborted.
 * @throws TypeError if an option is invalid.
 * @example
 * ```ts
 * export const POST = partnerWebhooksFetch({
 *   secret: process.env.WEBHOOK_SECRET ?? '',
 *   onEvent: (event) => console.log(event.type, event.id),
 * });
 * ```
 */
export function partnerWebhooksFetch(options: WebhookReceiverOptions): WebhookFetchHandler {
  const { receive, maxBytes } = createReceiver(options, PARSED);
  return async (request) => {
    const { status, body } = await receive(request.headers, await readRequest(request, maxBytes));
    const headers = body === null ? {} : { 'content-type': 'application/json' };
    return new Response(body, { status, headers });
  };
}

/** Returns the bytes of the body. If the body was already read, returns `{}`, which is refused as a parsed body. */
async function readRequest(request: Request, maxBytes: number): Promise<unknown> {
  if (request.bodyUsed || request.body?.locked) return {};
  const reader = request.body?.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  // What has arrived until then is refused, because its signature does not match.
  const timer = setTimeout(() => void reader?.cancel().catch(() => {}), BODY_TIMEOUT_MS);
  try {
    for (let next = await reader?.read(); next?.value !== undefined; next = await reader?.read()) {
      length += next.value.byteLength;
      if (length > maxBytes) {
        await reader?.cancel();
        return TOO_LARGE;
      }
      chunks.push(next.value);
    }
    return concatenate(chunks, length);
  } finally {
    clearTimeout(timer);
  }
}
