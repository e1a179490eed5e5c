import { MINUTE_MS, SECOND_MS } from '../domain/time.js';
import { OperatorError } from '../errors.js';
import type { BodyReading } from './message.js';

const USED =
  'The body of a partner request was read, or made text, before the handler could read it. Hand over the request as it ' +
  'came, in Hono `c.req.raw` before any validator: idempotency compares the bytes that the partner sent.';

/** What is still thrown away of a body that is too large: enough for any honest client to see the reply. */
const MAX_DISCARDED_BYTES = 4 * 1024 * 1024;
/** How long that may take. */
const MAX_DISCARD_MS = 5 * SECOND_MS;
/**
 * How long a body may take to arrive, as Node's own servers have it. Not every server has such a bound, nor breaks off
 * a body whose client went away.
 */
const MAX_ARRIVAL_MS = 5 * MINUTE_MS;

/** The reader of a body, as far as it is used. */
interface BodyReader {
  read(): Promise<{ readonly done: boolean; readonly value?: unknown }>;
  cancel(): Promise<void>;
}

/**
 * Reads the body of a `Request`. It is broken off once the request's signal aborts, and after five minutes.
 *
 * @throws OperatorError `MISCONFIGURED` for one that something in front has read, is reading, or has made text: it cannot
 *   be had back, and must not pass for an empty one.
 */
export async function readFetchBody(request: Request, limit: number): Promise<BodyReading> {
  const { bodyUsed, body } = request;
  if (bodyUsed || body?.locked === true) throw new OperatorError('MISCONFIGURED', USED);
  return body === null ? new Uint8Array() : readWhileAwaited(body.getReader(), request.signal, limit);
}

/** The announced length alone may have been too much, and nothing has been read. */
export function discardUnread({ bodyUsed, body }: Request): void {
  if (!bodyUsed && body?.locked === false) void discardRest(body.getReader());
}

function readWhileAwaited(reader: BodyReader, signal: AbortSignal, limit: number): Promise<BodyReading> {
  return new Promise((resolve, reject) => {
    const stopWaiting = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', breakOff);
    };
    const breakOff = () => {
      stopWaiting();
      // First of all: what is cancelled ends as if it were whole.
      resolve('broken_off');
      void giveUp(reader);
    };
    const timer = setTimeout(breakOff, MAX_ARRIVAL_MS);
    signal.addEventListener('abort', breakOff);
    if (signal.aborted) breakOff();
    else collect(reader, limit).then(resolve, reject).finally(stopWaiting);
  });
}

async function collect(reader: BodyReader, limit: number): Promise<BodyReading> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const next = await reader.read().catch(() => null);
    if (next === null) return 'broken_off';
    if (next.done) return Buffer.concat(chunks, length);
    if (!(next.value instanceof Uint8Array)) throw new OperatorError('MISCONFIGURED', USED);
    length += next.value.byteLength;
    if (length > limit) {
      void discardRest(reader);
      return 'too_large';
    }
    chunks.push(next.value);
  }
}

/**
 * Reads on without keeping anything: most servers on Node close the connection of a body that is given up on, and the
 * client would see that instead of the reply. Beyond the bounds that is what shall happen.
 */
async function discardRest(reader: BodyReader): Promise<void> {
  let left = MAX_DISCARDED_BYTES;
  const timer = setTimeout(() => giveUp(reader), MAX_DISCARD_MS);
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
