import { OperatorError } from '../errors.js';
import { discardUnread, readFetchBody } from './fetch-body.js';
import type { Handler, HttpRequest } from './message.js';

/**
 * The partner API for servers that speak `Request` and `Response`: Hono, Next, Bun, Deno. It never rejects a `Request`.
 * Called with anything else, it rejects with an OperatorError `MISCONFIGURED` that names the fix.
 */
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

/** Replies to clients that may still be sending a body. The server disposes of what others sent. */
const LEAVES_UNREAD: ReadonlySet<number> = new Set([401, 413, 429, 503]);

const TAKES_REQUESTS =
  'The handler for servers that speak `Request` was called with something else. In Hono it takes the request as it came, ' +
  'not the context: `(c) => partnerHiring.fetch(c.req.raw)`. For requests of Node there are `partnerHiringExpress` and ' +
  '`partnerHiringFastify`.';

/**
 * Wraps the handler for servers that speak `Request` and `Response`.
 *
 * @throws OperatorError `MISCONFIGURED` for what is no handler, and for options that cannot be used.
 */
export function createFetchHandler(handler: Handler, options: FetchHandlerOptions = {}): FetchHandler {
  assertHandler(handler);
  assertOptions(options);
  const { clientAddress = () => UNKNOWN_ADDRESS } = options;
  return async (request) => {
    assertRequest(request);
    const { status, headers, body, discard } = await handler(readRequest(request, clientAddress));
    if (LEAVES_UNREAD.has(status)) discardUnread(request, discard);
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

/** The same. */
function assertOptions(options: unknown): void {
  const clientAddress: unknown = isObject(options) ? Reflect.get(options, 'clientAddress') : null;
  if (clientAddress === undefined || typeof clientAddress === 'function') return;
  throw new OperatorError(
    'MISCONFIGURED',
    'The options of createFetchHandler are left out, or an object with a function: ' +
      "`{ clientAddress: (request) => request.headers.get('x-real-ip') ?? 'unknown' }`.",
  );
}

/** By what is used of it: a `Request` need not be of this realm. */
function assertRequest(request: unknown): void {
  if (isObject(request)) {
    const [url, headers]: unknown[] = [Reflect.get(request, 'url'), Reflect.get(request, 'headers')];
    if (typeof url === 'string' && isObject(headers) && 'get' in headers) return;
  }
  throw new OperatorError('MISCONFIGURED', TAKES_REQUESTS);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
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
    readBody: (limits) => readFetchBody(request, limits),
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
