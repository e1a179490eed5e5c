import { zipSync } from 'fflate';

/** Builds a zip file, whose entries are packed as they are, or compressed. */
export function createZip(
  entries: Readonly<Record<string, string | Buffer>>,
  method: 'stored' | 'deflated' = 'stored',
): Buffer {
  const files = Object.entries(entries).map(([name, content]) => [name, Buffer.from(content)]);
  return Buffer.from(zipSync(Object.fromEntries(files), { level: method === 'stored' ? 0 : 6 }));
}
