import { OperatorError } from '../errors.js';
import type { BodyLimits, BodyResult, DiscardLimits } from './message.js';

const USED =
  'The body of a partner request was read, or made text, before the handler could read it. Hand over the request as it ' +
  'came, in Hono `c.req.raw` before any validator: idempotency compares the bytes that the partner sent.';

/** The reader of a body, as far as it is used. */
interface BodyReader {
  read(): Promise<{ readonly done: boolean; readonly value?: unknown }>;
  cancel(): Promise<void>;
  releaseLock(): void;
}

/**
 * Reads the body of a `Request`. Not every server breaks off a body whose client went away: the request's signal does.
 *
 * @throws OperatorError `MISCONFIGURED` for one that something in front has read, is reading, or has made text: it cannot
 *   be had back, and must not pass for an empty one.
 */
export async function readFetchBody(request: Request, limits: BodyLimits): Promise<BodyResult> {
  const { bodyUsed, body } = request;
  if (bodyUsed || body?.locked === true) throw new OperatorError('MISCONFIGURED', USED);
  return body === null ? new Uint8Array() : readWhileAwaited(body.getReader(), request.signal, limits);
}

/** Discards what has not been read of a body. */
export function discardUnread({ body }: Request, limits: DiscardLimits): void {
  if (body?.locked === false) void discardRest(body.getReader(), limits);
}

function readWhileAwaited(
  reader: BodyReader,
  signal: AbortSignal,
  { maxBytes, timeoutMs }: BodyLimits,
): Promise<BodyResult> {
  return new Promise((resolve, reject) => {
    const stopWaiting = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    };
    const end = (reading: BodyResult) => {
      stopWaiting();
      // First of all: what is cancelled ends as if it were whole.
      resolve(reading);
      void giveUp(reader);
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
    if (!(next.value instanceof Uint8Array)) throw new OperatorError('MISCONFIGURED', USED);
    length += next.value.byteLength;
    if (length > maxBytes) {
      reader.releaseLock();
      return 'too_large';
    }
    chunks.push(next.value);
  }
}

/**
 * Reads on without keeping anything: most servers on Node close the connection of a body that is given up on, and the
 * client would see that instead of the reply. Beyond the bounds that is what shall happen.
 */
async function discardRest(reader: BodyReader, { maxBytes, maxMs }: DiscardLimits): Promise<void> {
  let left = maxBytes;
  const timer = setTimeout(() => giveUp(reader), maxMs);
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      left -= next.value instanceof Uint8Array ? next.value.byteLength : Number.POSITIVE_INFINITY;
      if (left < 0) return await giveUp(reader);
    }
  } catch {
    // The client has gone away from a reply that is made.
  } finally {
    clearTimeout(timer);
  }
}

/** Nothing is left to do for a client that goes away now. */
async function giveUp(reader: BodyReader): Promise<void> {
  await reader.cancel().catch(() => {});
}
