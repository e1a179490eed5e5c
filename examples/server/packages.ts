import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';

/** The path of the tarballs, for partners who install packages that are not on npm yet. */
export const PACKAGES_PATH = '/packages';

const TARBALL = /^partner-hiring-[\w.-]+\.tgz$/;

/** Serves the tarballs that `npm run pack -- data/packages` wrote. Returns whether there are any. */
export function servePackages(app: FastifyInstance, folder: string | null): boolean {
  const names = folder === null ? [] : listTarballs(folder);
  for (const name of names) {
    app.get(`${PACKAGES_PATH}/${name}`, async (_request, reply) =>
      reply.type('application/gzip').send(readFileSync(join(folder ?? '', name))),
    );
  }
  return names.length > 0;
}

function listTarballs(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => TARBALL.test(name));
  } catch {
    return []; // the folder does not exist
  }
}
