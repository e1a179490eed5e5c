import { composeErrorReply } from './error-reply.js';
import type { HttpReply } from './message.js';
import type { Outcome } from './route.js';
import { rateHeaders } from './throttle.js';

/**
 * The reply to a request, with the headers that every reply carries. To `HEAD` it is the reply to `GET`
 * without the body.
 */
export function composeHttpReply(outcome: Outcome, requestId: string, method: string): HttpReply {
  const { status, body, headers } =
    outcome.kind === 'answered' ? outcome : composeErrorReply(outcome.error, outcome.rate);
  return {
    status,
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(body)),
      'Cache-Control': 'no-store',
      'X-Request-Id': requestId,
      ...rateHeaders(outcome.rate),
      ...headers,
      ...outcome.headers,
    },
    body: method === 'HEAD' ? '' : body,
  };
}
