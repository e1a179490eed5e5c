import { isBytes, isPromise } from '../domain/any-realm.js';
import { misconfiguration } from '../errors.js';
import type { BodyLimits, BodyResult, DiscardLimits, Handler, HttpRequest } from './message.js';

/** The partner API for Hono, Next, Bun and Deno. Rejects only arguments that are not a `Request`. */
export type FetchHandler = (request: Request) => Promise<Response>;

/** Facts that a `Request` does not carry. */
export interface FetchHandlerOptions {
  /**
   * Returns the address of the client; by default, all callers share one bucket. Failed authentications are counted per
   * address.
   */
  readonly clientAddress?: ((request: Request) => string) | undefined;
  /**
   * Keeps the process running after the reply until the promise resolves, as `waitUntil` of Vercel and Cloudflare does;
   * default: nothing does. `after` of Next does it too. The handler passes it the promise of the write to the request
   * log. Without this option, a platform that freezes the process after the reply loses these log entries.
   */
  readonly waitUntil?: ((work: Promise<void>) => void) | undefined;
}

const UNKNOWN_ADDRESS = 'unknown';

/**
 * Replies with these statuses may leave the request body unread. The client may still be sending the body.
 */
const LEAVES_UNREAD: ReadonlySet<number> = new Set([401, 413, 429, 503]);

const TAKES_REQUESTS =
  'The handler for servers that use `Request` was called with something else. In Hono, pass the raw request, not the ' +
  'context: `(c) => partnerHiring.fetch(c.req.raw)`. For requests of Node, use `partnerHiringExpress` or ' +
  '`partnerHiringFastify`.';

const NOTHING_TO_FLUSH =
  'createFetchHandler with `waitUntil` needs the handler of the partner API itself: pass `partnerHiring.handler`, not a function ' +
  'that calls it.';

const USED =
  'The body of a partner request was read, or made text, before the handler could read it. Pass the raw request, in Hono ' +
  '`c.req.raw` before any validator: idempotency compares the bytes that the partner sent.';

/**
 * Wraps the handler for servers that use `Request` and `Response`.
 * @throws OperatorError `MISCONFIGURED` if the handler or an option is not valid.
 * @example
 * const fetch = createFetchHandler(partnerHiring.handler, {
 *   clientAddress: (request) => request.headers.get('x-real-ip') ?? 'unknown',
 * });
 */
export function createFetchHandler(handler: Handler, options: FetchHandlerOptions = {}): FetchHandler {
  assertHandler(handler);
  assertOptions(options);
  const { clientAddress = () => UNKNOWN_ADDRESS, waitUntil } = options;
  const flush = flushOf(handler);
  if (waitUntil !== undefined && flush === undefined) throw misconfiguration(NOTHING_TO_FLUSH);
  return async (request) => {
    assertRequest(request);
    const { status, headers, body, discard } = await handler(readRequest(request, clientAddress));
    if (LEAVES_UNREAD.has(status)) discardUnread(request, discard);
    if (flush !== undefined) waitUntil?.(flush());
    return new Response(body === '' ? null : body, { status, headers });
  };
}

function assertHandler(handler: unknown): void {
  if (typeof handler === 'function') return;
  throw misconfiguration(
    'createFetchHandler needs the handler: `createFetchHandler(partnerHiring.handler)`.',
  );
}

function assertOptions(options: unknown): void {
  const named = (name: string): unknown => (isObject(options) ? Reflect.get(options, name) : null);
  const isFunction = (value: unknown) => value === undefined || typeof value === 'function';
  if (isFunction(named('clientAddress')) && isFunction(named('waitUntil'))) return;
  throw misconfiguration(
    'The options of createFetchHandler must be an object with functions: ' +
      "`{ clientAddress: (request) => request.headers.get('x-real-ip') ?? 'unknown' }`.",
  );
}

function assertRequest(request: unknown): void {
  if (isObject(request)) {
    const url: unknown = Reflect.get(request, 'url');
    const headers: unknown = Reflect.get(request, 'headers');
    if (typeof url === 'string' && isObject(headers) && 'get' in headers) return;
  }
  throw misconfiguration(TAKES_REQUESTS);
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
    // This is a getter because the host's function may throw. The handler then replies with 500.
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

/** An unhandled rejection would end the process. */
function addressAsText(address: unknown): string {
  if (typeof address === 'string') return address;
  if (isPromise(address)) address.catch(() => {});
  throw misconfiguration(
    '`clientAddress` of createFetchHandler must return the address as text, not a promise.',
  );
}

interface BodyReader {
  read(): Promise<{ readonly done: boolean; readonly value?: unknown }>;
  cancel(): Promise<void>;
  releaseLock(): void;
}

/** Reads the body. Throws if middleware has already read it, because the body would look empty. */
async function readFetchBody(request: Request, limits: BodyLimits): Promise<BodyResult> {
  const { bodyUsed, body } = request;
  if (bodyUsed || body?.locked === true) throw misconfiguration(USED);
  return body === null ? new Uint8Array() : collectWithin(body.getReader(), request.signal, limits);
}

function discardUnread({ body }: Request, limits: DiscardLimits): void {
  if (body?.locked === false) void discardRest(body.getReader(), limits);
}

/**
 * Reads the body until it ends, the time is up or the client disconnects. Some servers report a disconnection
 * only through `signal`.
 */
function collectWithin(
  reader: BodyReader,
  signal: AbortSignal,
  { maxBytes, timeoutMs }: BodyLimits,
): Promise<BodyResult> {
  return new Promise((resolve, reject) => {
    const stopWaiting = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    };
    const end = (result: BodyResult) => {
      stopWaiting();
      // Resolve first. After `cancel`, the partial body would end normally and look complete.
      resolve(result);
      void cancel(reader);
    };
    const abort = () => end('broken_off');
    const timer = setTimeout(() => end('timed_out'), timeoutMs);
    signal.addEventListener('abort', abort);
    if (signal.aborted) abort();
    else collect(reader, maxBytes).then(resolve, reject).finally(stopWaiting);
  });
}

async function collect(reader: BodyReader, maxBytes: number): Promise<BodyResult> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const next = await reader.read().catch(() => null);
    if (next === null) return 'broken_off';
    if (next.done) return Buffer.concat(chunks, length);
    if (!isBytes(next.value)) throw misconfiguration(USED);
    length += next.value.byteLength;
    if (length > maxBytes) {
      reader.releaseLock();
      return 'too_large';
    }
    chunks.push(next.value);
  }
}

/**
 * Reads and discards the rest of a body. Cancelling it would be wrong: most servers on Node then close the
 * connection before the client sees the reply.
 */
async function discardRest(reader: BodyReader, { maxBytes, maxMs }: DiscardLimits): Promise<void> {
  let left = maxBytes;
  const timer = setTimeout(() => cancel(reader), maxMs);
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      left -= isBytes(next.value) ? next.value.byteLength : Number.POSITIVE_INFINITY;
      if (left < 0) return await cancel(reader);
    }
  } catch {
  } finally {
    clearTimeout(timer);
  }
}

async function cancel(reader: BodyReader): Promise<void> {
  await reader.cancel().catch(() => {});
}

const flushes = new WeakMap<Handler, () => Promise<void>>();

/** Lets the fetch handler write what the handler leaves in memory. */
export function offerFlush(handler: Handler, flush: () => Promise<void>): void {
  flushes.set(handler, flush);
}

/** Returns undefined for a handler that does not belong to a partner API. */
export function flushOf(handler: Handler): (() => Promise<void>) | undefined {
  return flushes.get(handler);
}
