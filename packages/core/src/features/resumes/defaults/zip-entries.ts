import { inflateRawSync } from 'node:zlib';

export interface ZipEntry {
  readonly name: string;
  readonly isEncrypted: boolean;
  readonly method: number;
  readonly packedBytes: number;
  /** Where the entry's own header starts. */
  readonly at: number;
}

const END_SIGNATURE = Buffer.from('PK\u0005\u0006');
const ENTRY_SIGNATURE = 0x02014b50;
const HEADER_SIGNATURE = 0x04034b50;

const END_BYTES = 22;
const ENTRY_BYTES = 46;
const HEADER_BYTES = 30;
const MAX_ENTRIES = 2_000;

/**
 * Returns the entries of a ZIP directory without unpacking anything. Returns an empty list if the directory is
 * incomplete or ambiguous.
 */
export function listZipEntries(bytes: Buffer): readonly ZipEntry[] {
  const endAt = bytes.lastIndexOf(END_SIGNATURE);
  if (endAt < 0 || !isWholeEnd(bytes, endAt)) return [];
  const entries: ZipEntry[] = [];
  const count = bytes.readUInt16LE(endAt + 10);
  let at = bytes.readUInt32LE(endAt + 16);
  if (at + bytes.readUInt32LE(endAt + 12) !== endAt) return [];
  while (
    entries.length < MAX_ENTRIES &&
    at + ENTRY_BYTES <= endAt &&
    bytes.readUInt32LE(at) === ENTRY_SIGNATURE
  ) {
    const nameLength = bytes.readUInt16LE(at + 28);
    const nameAt = at + ENTRY_BYTES;
    entries.push({
      name: bytes.subarray(nameAt, nameAt + nameLength).toString('utf8'),
      isEncrypted: (bytes.readUInt16LE(at + 8) & 1) === 1,
      method: bytes.readUInt16LE(at + 10),
      packedBytes: bytes.readUInt32LE(at + 20),
      at: bytes.readUInt32LE(at + 42),
    });
    at = nameAt + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  // If the directory lists only some of the entries, reject it: other programs would also read the unlisted
  // ones.
  return entries.length === count && at === endAt ? entries : [];
}

function isWholeEnd(bytes: Buffer, endAt: number): boolean {
  return (
    endAt + END_BYTES <= bytes.length && endAt + END_BYTES + bytes.readUInt16LE(endAt + 20) === bytes.length
  );
}

const STORED = 0;
const DEFLATED = 8;

/**
 * Unpacks an entry. Returns null if it has more than `maxBytes`, packed or unpacked, if its own header has
 * another name, or if it is encrypted or broken.
 */
export function readZipEntry(bytes: Buffer, entry: ZipEntry, maxBytes: number): Buffer | null {
  const { name, isEncrypted, method, packedBytes, at } = entry;
  if (isEncrypted || packedBytes > maxBytes) return null;
  if (at + HEADER_BYTES > bytes.length || bytes.readUInt32LE(at) !== HEADER_SIGNATURE) return null;
  const nameEnd = at + HEADER_BYTES + bytes.readUInt16LE(at + 26);
  if (bytes.subarray(at + HEADER_BYTES, nameEnd).toString('utf8') !== name) return null;
  const start = nameEnd + bytes.readUInt16LE(at + 28);
  const packed = bytes.subarray(start, start + packedBytes);
  if (packed.length !== packedBytes) return null;
  if (method === STORED) return packed;
  return method === DEFLATED ? inflate(packed, maxBytes) : null;
}

function inflate(packed: Buffer, maxBytes: number): Buffer | null {
  try {
    return inflateRawSync(packed, { maxOutputLength: maxBytes });
  } catch {
    return null;
  }
}
