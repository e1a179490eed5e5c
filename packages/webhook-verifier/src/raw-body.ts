/** A request's body exactly as it arrived. Bytes are best; text serves as well, as long as nothing re-made it. */
export type RawBody = string | Uint8Array | ArrayBuffer;

const encoder = new TextEncoder();
/** Keeps a byte order mark, so that a body that starts with one is no JSON. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Whether a value is a raw body. Holds across realms, unlike `instanceof`. */
export function isRawBody(value: unknown): value is RawBody {
  return typeof value === 'string' || ArrayBuffer.isView(value) || isArrayBuffer(value);
}

/** The bytes that are signed: `<timestamp>.<body>`. Spec: Signature verification, 2. */
export function signingInput(timestamp: string, body: RawBody): Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return encoder.encode(`${timestamp}.${body}`);
  const prefix = encoder.encode(`${timestamp}.`);
  const bytes = bytesOf(body);
  const input = new Uint8Array(prefix.length + bytes.length);
  input.set(prefix);
  input.set(bytes, prefix.length);
  return input;
}

/** The body as text, or null if it is not UTF-8. */
export function bodyText(body: RawBody): string | null {
  if (typeof body === 'string') return body;
  try {
    return decoder.decode(bytesOf(body));
  } catch {
    return null;
  }
}

function bytesOf(body: Uint8Array | ArrayBuffer): Uint8Array {
  return ArrayBuffer.isView(body)
    ? new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
    : new Uint8Array(body);
}

function isArrayBuffer(value: unknown): value is ArrayBuffer {
  return Object.prototype.toString.call(value) === '[object ArrayBuffer]';
}
