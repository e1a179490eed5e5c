/** A request's body exactly as it arrived. Bytes are best; text serves as well, as long as nothing re-made it. */
export type RawBody = string | Uint8Array | ArrayBuffer;

/** Keeps a byte order mark, so that a body that starts with one is no JSON. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Whether a value is a raw body. Holds across realms, unlike `instanceof`. */
export function isRawBody(value: unknown): value is RawBody {
  return (
    typeof value === 'string' || typeof (value as ArrayBuffer | null | undefined)?.byteLength === 'number'
  );
}

/** The body as text, which stands for its bytes one to one; null if they are not UTF-8. */
export function bodyText(body: RawBody): string | null {
  try {
    return typeof body === 'string' ? body : decoder.decode(body);
  } catch {
    return null;
  }
}
