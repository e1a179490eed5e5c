import { deflateRawSync } from 'node:zlib';

/** How the entries of a zip file are packed: as they are, or compressed. */
export type ZipMethod = 'stored' | 'deflated';

/** Builds a zip file. */
export function createZip(
  entries: Readonly<Record<string, string | Buffer>>,
  method: ZipMethod = 'stored',
): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, content] of Object.entries(entries)) {
    const plain = Buffer.from(content);
    const packed = method === 'stored' ? plain : deflateRawSync(plain);
    const fields = entryFields(name, packed.length, plain.length, method);
    const part = Buffer.concat([Buffer.from('PK\u0003\u0004'), fields, Buffer.from(name), packed]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    directory.push(Buffer.from('PK\u0001\u0002\u0014\u0000'), fields, place, Buffer.from(name));
    parts.push(part);
    at += part.length;
  }
  const listing = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(directory.length / 4, 4);
  end.writeUInt16LE(directory.length / 4, 6);
  end.writeUInt32LE(listing.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...parts, listing, Buffer.from('PK\u0005\u0006'), end]);
}

/** Returns the fields that are the same in an entry's header and in its directory line. */
function entryFields(name: string, packed: number, plain: number, method: ZipMethod): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(method === 'stored' ? 0 : 8, 4);
  fields.writeUInt32LE(packed, 14);
  fields.writeUInt32LE(plain, 18);
  fields.writeUInt16LE(Buffer.byteLength(name), 22);
  return fields;
}
