import type { HeaderReader } from './answer.js';

/** A response whose body was not read. */
interface BodySource {
  readonly headers: HeaderReader;
  readonly body?: unknown;
  text(): Promise<string>;
}

/** The limit for a body. No response of the service is nearly as large, and an endless one must not fill the memory. */
export const MAX_BODY_BYTES = 32 * 1_048_576;

/**
 * Reads the body of a response as text. If the decompressed body is larger than the limit, stops reading and returns
 * null. Also stops when the signal aborts, even if `fetch` ignores the signal.
 */
export async function readBody(response: BodySource, signal: AbortSignal): Promise<string | null> {
  const { body } = response;
  const chunks = chunksOf(body);
  if (chunks !== null) return readChunks(chunks, signal);
  if (Number(response.headers.get('content-length')) > MAX_BODY_BYTES) return null;
  const text = await response.text();
  return text.length > MAX_BODY_BYTES ? null : text;
}

/** Returns the chunks of a stream of the web or of Node; null if the response has no stream. */
function chunksOf(body: unknown): AsyncIterable<unknown> | null {
  if (typeof body !== 'object' || body === null) return null;
  if (Symbol.asyncIterator in body) return body as AsyncIterable<unknown>;
  return 'getReader' in body ? iterate(body as ReadableStream<unknown>) : null;
}

/** Some browsers cannot iterate their streams. */
async function* iterate(stream: ReadableStream<unknown>): AsyncGenerator<unknown> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** Copies the chunks, because many small ones would need more memory than their bytes. */
async function readChunks(chunks: AsyncIterable<unknown>, signal: AbortSignal): Promise<string | null> {
  let bytes = new Uint8Array(FIRST_BYTES);
  let length = 0;
  // Leaving the loop cancels the stream, which closes the connection.
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    const piece = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : (chunk as Uint8Array);
    if (length + piece.byteLength > MAX_BODY_BYTES) return null;
    if (length + piece.byteLength > bytes.length) bytes = grown(bytes, length + piece.byteLength);
    bytes.set(piece, length);
    length += piece.byteLength;
  }
  return new TextDecoder().decode(bytes.subarray(0, length));
}

const FIRST_BYTES = 16_384;

function grown(bytes: Uint8Array, needed: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.min(MAX_BODY_BYTES, Math.max(needed, 2 * bytes.length)));
  larger.set(bytes);
  return larger;
}
