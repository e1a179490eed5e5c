import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, relative, resolve } from 'node:path';
import { defineConfig, type Options } from 'tsup';

/**
 * Libraries that the builds contain. Loading their hundreds of small files takes longer than the rest of a start, and
 * Jest and Yarn Plug'n'Play cannot require p-retry and is-network-error, which are ES modules only.
 */
export const BUNDLED = ['is-network-error', 'kysely', 'libphonenumber-js', 'p-retry', 'zod'];

const NO_FIELDS = { 'class-field': false, 'class-static-field': false };

type Plugin = NonNullable<Options['plugins']>[number];

/** What makes CommonJS of split files writes into their source maps where they lay: they would tell of this machine. */
const relativeSources: Plugin = {
  name: 'relative-sources',
  buildEnd({ writtenFiles }) {
    for (const { name } of writtenFiles.filter((file) => file.name.endsWith('.map'))) {
      const file = resolve(name);
      const toRelative = (path: string) => (isAbsolute(path) ? relative(dirname(file), path) : path);
      const map = JSON.parse(readFileSync(file, 'utf8')) as { file?: string; sources: readonly string[] };
      if (map.file !== undefined) map.file = toRelative(map.file);
      writeFileSync(file, JSON.stringify({ ...map, sources: map.sources.map(toRelative) }));
    }
  },
};

/** Our own packages that the builds of others contain. */
const CONTAINED: Readonly<Record<string, readonly string[]>> = {
  // What the service itself sends. Core has libraries that certify does without.
  certify: ['@partner-hiring/core/probes'],
  express: ['@partner-hiring/node-http'],
  fastify: ['@partner-hiring/node-http'],
  nest: ['@partner-hiring/express', '@partner-hiring/fastify', '@partner-hiring/node-http'],
  node: ['@partner-hiring/node-http'],
  postgres: ['@partner-hiring/storage-kysely'],
  sqlite: ['@partner-hiring/storage-kysely'],
};

/**
 * How the JavaScript of every package is built: ESM with CommonJS beside it. A package's own tsup.config.ts names what
 * differs. The declarations beside them are those of `test/tools/build/bundle-declarations.ts`.
 */
export function library({ noExternal = [], ...options }: Options) {
  return defineConfig({
    format: ['esm', 'cjs'],
    target: 'node20',
    platform: 'node',
    clean: ['!**/*.d.{ts,cts}'],
    splitting: true,
    shims: true,
    sourcemap: true,
    plugins: [relativeSources],
    noExternal: [...noExternal, ...BUNDLED],
    // What makes CommonJS of split files would rewrite classes with fields, and they would lose their names.
    esbuildOptions: (esbuild, { format }) => {
      if (format === 'cjs') esbuild.supported = { ...esbuild.supported, ...NO_FIELDS };
    },
    ...options,
  });
}

/** How a package without a tsup.config.ts of its own is built: from the entry points of its package.json. */
export function plainLibrary(folder: string) {
  const { exports, bin } = JSON.parse(readFileSync(resolve(folder, 'package.json'), 'utf8'));
  const files = JSON.stringify([exports, bin]).matchAll(/"\.\/dist\/([^"]+)\.js"/g);
  const entry = Object.fromEntries([...files].map(([, name]) => [name, `src/${name}.ts`]));
  return library({ entry, noExternal: [...(CONTAINED[basename(folder)] ?? [])] });
}

export default plainLibrary(process.cwd());
