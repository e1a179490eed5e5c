import { OperatorError } from '../errors.js';
import type { BodyReading, Handler, HttpRequest } from './message.js';

/** The partner API for servers that speak `Request` and `Response`: Hono, Next, Bun, Deno. It never rejects. */
export type FetchHandler = (request: Request) => Promise<Response>;

/** What a server that speaks `Request` must add. */
export interface FetchHandlerOptions {
  /**
   * The caller's network address, which a `Request` does not carry; failed authentication is counted by it.
   * Without it all such failures share one bucket, which never touches callers with a valid key.
   */
  readonly clientAddress?: (request: Request) => string;
}

const UNKNOWN_ADDRESS = 'unknown';

const USED =
  'The body of a partner request was read before the handler could. Hand over the request as it came, in Hono ' +
  '`c.req.raw` before any validator: idempotency compares the bytes that the partner sent.';

/** Wraps the handler for servers that speak `Request` and `Response`. */
export function createFetchHandler(handler: Handler, options: FetchHandlerOptions = {}): FetchHandler {
  const clientAddress = options.clientAddress ?? (() => UNKNOWN_ADDRESS);
  return async (request) => {
    const { status, headers, body } = await handler(readRequest(request, clientAddress(request)));
    return new Response(body === '' ? null : body, { status, headers });
  };
}

function readRequest(request: Request, clientAddress: string): HttpRequest {
  return {
    method: request.method,
    target: request.url,
    clientAddress,
    headerValues: (name) => {
      const value = request.headers.get(name);
      return value === null ? [] : [value];
    },
    readBody: (limit) => readUnused(request, limit),
  };
}

/** A body that something in front has read, or is reading, cannot be had back, and must not pass for an empty one. */
async function readUnused(request: Request, limit: number): Promise<BodyReading> {
  if (!request.bodyUsed && request.body?.locked !== true) return readBody(request.body, limit);
  throw new OperatorError('MISCONFIGURED', USED);
}

async function readBody(body: Request['body'], limit: number): Promise<BodyReading> {
  if (body === null) return new Uint8Array();
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      length += next.value.byteLength;
      if (length > limit) return await giveUp(reader);
      chunks.push(next.value);
    }
  } catch {
    return 'broken_off';
  }
  return Buffer.concat(chunks, length);
}

async function giveUp(reader: { cancel(): Promise<void> }): Promise<BodyReading> {
  await reader.cancel();
  return 'too_large';
}
