import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';
import type { Manifest } from './manifest.js';

/** A package as `npm pack` wrote it. */
export interface Packed {
  readonly manifest: Manifest;
  readonly tarball: string;
}

/** A registry on loopback that has only our packages, for the `registry` of their scope. */
export async function startScopeRegistry(packed: readonly Packed[]) {
  const byName = new Map(packed.map((one) => [one.manifest.name, one]));
  const byFile = new Map(packed.map(({ tarball }) => [basename(tarball), tarball]));
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '/').slice(1);
    const tarball = byFile.get(path);
    const found = byName.get(path);
    if (tarball !== undefined) response.end(readFileSync(tarball));
    else if (found !== undefined) response.end(JSON.stringify(describe(found, url)));
    else response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** What a registry says about a package with one version. */
function describe({ manifest, tarball }: Packed, url: string): object {
  const { name, version } = manifest;
  const integrity = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
  const dist = { tarball: `${url}/${basename(tarball)}`, integrity };
  return { name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } };
}
