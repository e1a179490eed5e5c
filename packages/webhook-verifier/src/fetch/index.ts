import { concatenate } from '../read-stream.js';
import { createReceiver, TOO_LARGE, type WebhookReceiverOptions } from '../receiver.js';

export type { PartnerEvent } from '../events.js';
export type { ReceiverRefusal, ReceiverRefusalReason, WebhookReceiverOptions } from '../receiver.js';

/** A handler of servers that speak `Request` and `Response`. */
export type WebhookFetchHandler = (request: Request) => Promise<Response>;

const PARSED =
  'Something has read the body of the request before. Hand over the request as it came: in Hono c.req.raw, before ' +
  'any validator and c.req.json(); in Next the request of a route handler, before request.json().';

/**
 * Receives webhooks where a handler takes a `Request` and answers with a `Response`: Next, Hono, Deno, Bun,
 * workers. It reads the raw body itself, verifies it, hands the event to `onEvent` and answers 204, or 400 with the
 * reason. It rejects only with what `onEvent`, `onRefused` or `secret` throw, or where the request breaks off.
 *
 * @throws TypeError if the options are wrong, so that a receiver without a secret does not start.
 */
export function partnerWebhooksFetch(options: WebhookReceiverOptions): WebhookFetchHandler {
  const { receive, maxBytes } = createReceiver(options, PARSED);
  return async (request) => {
    const { status, body } = await receive(request.headers, await readRequest(request, maxBytes));
    const headers = body === null ? {} : { 'content-type': 'application/json' };
    return new Response(body, { status, headers });
  };
}

/** The bytes; an object, as a parser might have left, where they are gone. */
async function readRequest(request: Request, maxBytes: number): Promise<unknown> {
  if (request.bodyUsed || request.body?.locked) return {};
  const reader = request.body?.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (let next = await reader?.read(); next?.value !== undefined; next = await reader?.read()) {
    length += next.value.byteLength;
    if (length > maxBytes) {
      await reader?.cancel();
      return TOO_LARGE;
    }
    chunks.push(next.value);
  }
  return concatenate(chunks, length);
}
