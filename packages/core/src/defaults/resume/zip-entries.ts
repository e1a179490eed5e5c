/** The record that ends a zip file, and the one that each entry has in its directory. */
const END_SIGNATURE = Buffer.from('PK\u0005\u0006');
const ENTRY_SIGNATURE = 0x02014b50;

const END_BYTES = 22;
const ENTRY_BYTES = 46;
/** A document has some dozens of entries; a list beyond this one is not worth reading on. */
const MAX_ENTRIES = 2_000;

/**
 * The names of the entries of a zip file, from its directory; empty if it has none that can be read to its end, or
 * another reader might take other bytes for it: it lies right before the record that ends the file, and that says
 * where. Nothing is unpacked.
 */
export function listZipEntries(bytes: Buffer): readonly string[] {
  const endAt = bytes.lastIndexOf(END_SIGNATURE);
  if (endAt < 0 || !isWholeEnd(bytes, endAt)) return [];
  const names: string[] = [];
  const count = bytes.readUInt16LE(endAt + 10);
  let at = bytes.readUInt32LE(endAt + 16);
  if (at + bytes.readUInt32LE(endAt + 12) !== endAt) return [];
  while (
    names.length < MAX_ENTRIES &&
    at + ENTRY_BYTES <= endAt &&
    bytes.readUInt32LE(at) === ENTRY_SIGNATURE
  ) {
    const nameLength = bytes.readUInt16LE(at + 28);
    const nameAt = at + ENTRY_BYTES;
    names.push(bytes.subarray(nameAt, nameAt + nameLength).toString('utf8'));
    at = nameAt + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  // What is left out of the list is there all the same, for whoever unpacks the file.
  return names.length === count && at === endAt ? names : [];
}

/** Whether nothing follows the record but the comment that it announces. */
function isWholeEnd(bytes: Buffer, endAt: number): boolean {
  return (
    endAt + END_BYTES <= bytes.length && endAt + END_BYTES + bytes.readUInt16LE(endAt + 20) === bytes.length
  );
}
