import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

/**
 * Returns the folders of bundled packages from the source maps, such as `packages/node-http`, or `node_modules/tsup`, which
 * adds a few lines to CommonJS.
 *
 * @throws Error if a source map is missing, or names a file outside of a package.
 */
export function bundledPlaces(folder, root) {
  const dist = join(folder, 'dist');
  const programs = existsSync(dist) ? readdirSync(dist, { recursive: true }).filter(isProgram) : [];
  const sources = programs.flatMap((program) => sourcesOf(join(dist, program)));
  const foreign = sources.filter((source) => relative(folder, source).startsWith('..'));
  return [...new Set(foreign.map((source) => placeOf(relative(root, source).split(sep).join('/'))))];
}

function isProgram(file) {
  return /\.[cm]?js$/.test(file);
}

function sourcesOf(program) {
  if (!existsSync(`${program}.map`))
    throw new Error(`${program} has no source map: build it with source maps.`);
  const { sources } = JSON.parse(readFileSync(`${program}.map`, 'utf8'));
  return sources.map((source) => resolve(dirname(program), source));
}

/** `packages/a/src/b.ts` belongs to `packages/a`, `node_modules/@a/b/c.js` to `node_modules/@a/b`. */
function placeOf(source) {
  const [, place] = /^(packages\/[^/]+|.*\bnode_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(source) ?? [];
  if (place !== undefined) return place;
  throw new Error(`A source map names ${source}, which is not in a package of this repository.`);
}
