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
    readBody: (limit) => readBody(request.body, limit),
  };
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
