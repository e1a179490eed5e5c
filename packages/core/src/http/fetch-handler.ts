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

/**
 * Wraps the handler for servers that speak `Request` and `Response`.
 *
 * @throws OperatorError `MISCONFIGURED` for what is no handler.
 */
export function createFetchHandler(handler: Handler, options: FetchHandlerOptions = {}): FetchHandler {
  assertHandler(handler);
  const { clientAddress = () => UNKNOWN_ADDRESS } = options;
  return async (request) => {
    const { status, headers, body } = await handler(readRequest(request, clientAddress));
    if (status === 413) discardUnread(request);
    return new Response(body === '' ? null : body, { status, headers });
  };
}

/** What JavaScript lets through. */
function assertHandler(handler: unknown): void {
  if (typeof handler === 'function') return;
  throw new OperatorError(
    'MISCONFIGURED',
    'createFetchHandler takes the handler: `createFetchHandler(partnerHiring.handler)`.',
  );
}

function readRequest(
  request: Request,
  clientAddress: (request: Request) => string | null | undefined,
): HttpRequest {
  return {
    method: request.method,
    target: request.url,
    /** Asked for where an error of the host's becomes a 500. */
    get clientAddress() {
      return addressAsText(clientAddress(request) ?? UNKNOWN_ADDRESS);
    },
    headerValues: (name) => {
      const value = request.headers.get(name);
      return value === null ? [] : [value];
    },
    readBody: (limit) => readUnused(request, limit),
  };
}

/** JavaScript lets through a promise, whose rejection nobody else would take. */
function addressAsText(address: unknown): string {
  if (typeof address === 'string') return address;
  if (address instanceof Promise) address.catch(() => {});
  throw new OperatorError(
    'MISCONFIGURED',
    '`clientAddress` of createFetchHandler must return the address as text, and at once: not a promise.',
  );
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
      if (length > limit) {
        void discardRest(reader);
        return 'too_large';
      }
      chunks.push(next.value);
    }
  } catch {
    return 'broken_off';
  }
  return Buffer.concat(chunks, length);
}

/** What is still thrown away of a body that is too large: enough for any honest client to see the reply. */
const MAX_DISCARDED_BYTES = 4 * 1024 * 1024;
/** How long that may take. */
const MAX_DISCARD_MS = 5_000;

/** The reader of a body, as far as it is used. */
interface BodyReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

/** The announced length alone may have been too much, and nothing has been read. */
function discardUnread({ bodyUsed, body }: Request): void {
  if (!bodyUsed && body?.locked === false) void discardRest(body.getReader());
}

/**
 * Reads on without keeping anything: most servers on Node close the connection of a body that is given up on, and the
 * client would see that instead of the reply. Beyond the bounds that is what shall happen.
 */
async function discardRest(reader: BodyReader): Promise<void> {
  let left = MAX_DISCARDED_BYTES;
  // A client that goes away now has gone away from a reply that is made: nothing is left to do for it.
  const giveUp = () => reader.cancel().catch(() => {});
  const timer = setTimeout(giveUp, MAX_DISCARD_MS);
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      left -= next.value?.byteLength ?? 0;
      if (left < 0) return await giveUp();
    }
  } catch {
    // The same.
  } finally {
    clearTimeout(timer);
  }
}
