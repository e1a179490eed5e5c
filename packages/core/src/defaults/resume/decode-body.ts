import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, type ZlibOptions } from 'node:zlib';
import { codeOf } from '../safe-http/transport-error.js';

/** What came of decoding. */
export type DecodedBody =
  | { readonly kind: 'decoded'; readonly bytes: Buffer }
  | { readonly kind: 'refused'; readonly reason: 'too_large' | 'unsupported_content' };

type Decode = (bytes: Buffer, options: ZlibOptions) => Promise<Buffer>;

/** The encodings that are undone, although none is asked for: some servers apply them regardless. */
const DECODERS: Readonly<Record<string, Decode>> = {
  gzip: promisify<Buffer, ZlibOptions, Buffer>(gunzip),
  'x-gzip': promisify<Buffer, ZlibOptions, Buffer>(gunzip),
  deflate: promisify<Buffer, ZlibOptions, Buffer>(inflate),
  br: promisify<Buffer, ZlibOptions, Buffer>(brotliDecompress),
};

/**
 * Undoes a body's content encoding, up to `maxBytes` of result: what would inflate beyond them is given up
 * on the way, not afterwards. More than one encoding at once is refused.
 */
export async function decodeBody(bytes: Buffer, encoding: string, maxBytes: number): Promise<DecodedBody> {
  const name = encoding.trim().toLowerCase();
  if (name === '' || name === 'identity') return { kind: 'decoded', bytes };
  const decode = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined;
  if (decode === undefined) return { kind: 'refused', reason: 'unsupported_content' };
  try {
    return { kind: 'decoded', bytes: await decode(bytes, { maxOutputLength: maxBytes }) };
  } catch (error) {
    const isTooLarge = codeOf(error) === 'ERR_BUFFER_TOO_LARGE';
    return { kind: 'refused', reason: isTooLarge ? 'too_large' : 'unsupported_content' };
  }
}
