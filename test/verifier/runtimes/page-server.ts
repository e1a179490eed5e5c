import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';

/** Serves an empty page, the suite, and the built files under `/dist/`. */
export async function servePage(suite: string, packageFolder: string) {
  const find = async (path: string): Promise<readonly [type: string, content: string | Buffer]> => {
    if (path === '/')
      return ['text/html', '<!doctype html><title>Verifier</title><link rel="icon" href="data:,">'];
    if (path === '/suite.js') return ['text/javascript', suite];
    if (!path.startsWith('/dist/')) throw new Error(`${path} does not exist.`);
    return ['text/javascript', await readFile(join(packageFolder, path))];
  };
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://localhost').pathname);
    find(path).then(
      ([type, content]) => response.setHeader('content-type', `${type}; charset=utf-8`).end(content),
      () => response.writeHead(404).end(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
