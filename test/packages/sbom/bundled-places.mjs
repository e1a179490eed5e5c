import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

/**
 * The places of the packages whose code a build has put into a package's files, as the source maps say: `packages/node-http`,
 * or `node_modules/tsup` for the few lines that it adds to CommonJS.
 *
 * @throws Error if a file has no source map, or one names what belongs to no package.
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
    throw new Error(`${program} has no source map to tell what was bundled into it.`);
  const { sources } = JSON.parse(readFileSync(`${program}.map`, 'utf8'));
  return sources.map((source) => resolve(dirname(program), source));
}

/** `packages/a/src/b.ts` is of `packages/a`, `node_modules/@a/b/c/d.js` of `node_modules/@a/b`. */
function placeOf(source) {
  const [, place] = /^(packages\/[^/]+|.*\bnode_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(source) ?? [];
  if (place !== undefined) return place;
  throw new Error(`A source map names ${source}, which belongs to no package of this repository.`);
}
