/** The unchanged body of a request, preferably as bytes. */
export type RawBody = string | Uint8Array | ArrayBuffer;

/** The decoder keeps a byte order mark, so that the body is refused as invalid JSON. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns whether the value is a raw body. Unlike `instanceof`, this check works across realms. */
export function isRawBody(value: unknown): value is RawBody {
  return (
    typeof value === 'string' || typeof (value as ArrayBuffer | null | undefined)?.byteLength === 'number'
  );
}

/** Returns the bytes that are signed: the time, a dot and the body. */
export async function signedBytes(timestamp: string, body: RawBody): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Blob([`${timestamp}.`, body as string]).arrayBuffer());
}

/** Returns the body as text; null if it is not UTF-8. */
export function bodyText(body: RawBody): string | null {
  try {
    return typeof body === 'string' ? body : decoder.decode(body);
  } catch {
    return null;
  }
}
