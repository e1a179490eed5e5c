import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw, type ZlibOptions } from 'node:zlib';
import { codeOf } from '../../../defaults/safe-http/transport-error.js';

type Decode = (bytes: Buffer, options: ZlibOptions) => Promise<Buffer>;

const gunzipAll = promisify<Buffer, ZlibOptions, Buffer>(gunzip);
const inflateZlib = promisify<Buffer, ZlibOptions, Buffer>(inflate);
const inflateBare = promisify<Buffer, ZlibOptions, Buffer>(inflateRaw);

/** Decoders by content coding. Some servers compress a response although the request did not allow it. */
const DECODERS: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ['gzip', gunzipAll],
  ['x-gzip', gunzipAll],
  // Some servers omit the zlib header, which browsers accept.
  ['deflate', (bytes, options) => (isZlib(bytes) ? inflateZlib : inflateBare)(bytes, options)],
  ['br', promisify<Buffer, ZlibOptions, Buffer>(brotliDecompress)],
]);

/** The maximum of curl. Each coding costs a decompression of up to `maxBytes`. */
const MAX_CODINGS = 5;

/**
 * Decodes a response body, from the right of its list of codings. Returns null if the result has more than `maxBytes`.
 * Skips a coding that is unknown, or that the bytes do not have: stores repeat any header of an upload. Decodes nothing
 * if there are more than five codings.
 */
export async function decodeBody(body: Buffer, encoding: string, maxBytes: number): Promise<Buffer | null> {
  const words = encoding.toLowerCase().split(/[\s,;"']+/);
  const decoders = words.reverse().flatMap((word) => DECODERS.get(word) ?? []);
  if (decoders.length > MAX_CODINGS) return body;
  let bytes = body;
  for (const decode of decoders) {
    try {
      bytes = await decode(bytes, { maxOutputLength: maxBytes });
    } catch (error) {
      if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') return null;
    }
  }
  return bytes;
}

/** Returns whether bytes begin with a zlib header (RFC 1950). */
function isZlib([first = 0, second = 0]: Buffer): boolean {
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
}
