import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeBody } from './decode-body.js';

const MAX = 100_000;
const PDF = Buffer.from('%PDF-1.7\nJane Doe');

const CODINGS: ReadonlyMap<string, (bytes: Buffer) => Buffer> = new Map<string, (bytes: Buffer) => Buffer>([
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['identity', (bytes) => bytes],
  ['UTF-8', (bytes) => bytes],
  ['constructor', (bytes) => bytes],
]);

describe('decodeBody', () => {
  it('decodes any list of codings from the right', async () => {
    const list = fc.array(fc.constantFrom(...CODINGS.keys()), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(list, async (names) => {
        const coded = names.reduce<Buffer>((bytes, name) => CODINGS.get(name)?.(bytes) ?? bytes, PDF);
        expect(await decodeBody(coded, names.join(', '), MAX)).toEqual(PDF);
      }),
      { numRuns: 50 },
    );
  });

  it.each(['gzip', 'deflate', 'br', 'aws-chunked', 'gzip, br', 'zstd', 'none', '"gzip"', ', ,'])(
    'returns bytes that do not have the coding %j as they are',
    async (encoding) => {
      for (const text of ['%PDF-1.7\nJane', '{\\rtf1\\ansi Jane}', 'Jane Doe', 'PK\u0003\u0004'])
        expect(await decodeBody(Buffer.from(text), encoding, MAX)).toEqual(Buffer.from(text));
    },
  );

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
  ])('returns null for a bomb of %s, also behind others', async (encoding, encode) => {
    const bomb = encode(Buffer.alloc(10 * MAX));
    expect(await decodeBody(bomb, encoding, MAX)).toBeNull();
    expect(await decodeBody(gzipSync(gzipSync(bomb)), `${encoding}, gzip, gzip`, MAX)).toBeNull();
  });

  it('decodes nothing if there are more than five codings', async () => {
    const six = Array.from({ length: 6 }).reduce<Buffer>((bytes) => gzipSync(bytes), PDF);
    expect(await decodeBody(six, Array(6).fill('gzip').join(), MAX)).toEqual(six);
    expect(await decodeBody(PDF, Array(5_000).fill('gzip').join(), MAX)).toEqual(PDF);
  });
});
