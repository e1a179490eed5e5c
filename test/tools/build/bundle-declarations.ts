import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type OutputChunk, rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import type { Options } from 'tsup';
import { plainLibrary } from '../../../tsup.config.js';
import { type EntryConditions, readManifest, root } from '../packages/manifest.js';

const COMMON_CONFIG = join(root, 'tsup.config.ts');

/** Private types that two entry points share go into a file of their own, which no user imports. */
const EXPECTED = /private shared type exports/;

/**
 * Bundles the declarations of a package, one file for each entry point, with those of the packages that its code contains.
 * Writes `.d.ts` files, and the same as `.d.cts` for CommonJS. Removes those of an earlier build.
 *
 * @param emitted The folder with what the compiler wrote for each module, below the names of the packages' folders.
 */
export async function bundleDeclarations(folder: string, emitted: string): Promise<void> {
  const { name, exports = {} } = readManifest(folder);
  const entries = Object.entries(exports).flatMap(([path, conditions]) =>
    typeof conditions === 'string' ? [] : [{ path, types: typesOf(conditions) }],
  );
  const contained = await containedPackages(folder);
  const bundle = await rollup({
    input: Object.fromEntries(
      entries.map(({ path, types }) => [
        types.replace(/^\.\/dist\/|\.d\.ts$/g, ''),
        moduleOf(emitted, name, join(path, 'index')),
      ]),
    ),
    external: (id) => /^[^./]/.test(id) && !contained.includes(id),
    plugins: [
      {
        name: 'contained-packages',
        resolveId: (id) => (contained.includes(id) ? moduleOf(emitted, id, 'index') : null),
      },
      dts({ tsconfig: join(emitted, 'tsconfig.json') }),
    ],
    onLog: (_level, { message }) => {
      if (!EXPECTED.test(message)) throw new Error(`${name}: ${message}`);
    },
  });
  const { output } = await bundle.generate({
    entryFileNames: '[name].d.ts',
    chunkFileNames: ({ name }) => `${name.replace(/\.d$/, '')}-[hash].d.ts`,
    hoistTransitiveImports: false,
    minifyInternalExports: false,
  });
  const chunks = output as readonly OutputChunk[];
  const own = [name, ...contained].map((each) => dirname(moduleOf(emitted, each, 'index')));
  const foreign = chunks
    .flatMap(({ moduleIds }) => moduleIds)
    .find((id) => !own.some((folder) => id.startsWith(folder)));
  if (foreign !== undefined) {
    throw new Error(
      `The public types of ${name} need ${relative(emitted, foreign)}, which its package does not export. Export the type there, or annotate the export that needs it.`,
    );
  }
  const hasCommonJs = Object.values(exports).some((each) => typeof each === 'object' && 'require' in each);
  writeDeclarations(join(folder, 'dist'), chunks, hasCommonJs);
}

function typesOf(conditions: EntryConditions): string {
  return 'import' in conditions ? conditions.import.types : conditions.types;
}

/** The declarations of a module, such as `sqlite/src/knex/index.d.ts` of `@partner-hiring/sqlite/knex`. */
function moduleOf(emitted: string, name: string, path: string): string {
  const [, packageName = '', ...folders] = name.split('/');
  return join(emitted, packageName, 'src', ...folders, `${path}.d.ts`);
}

/** Returns the file that says how tsup builds a package: its own, or that of all packages. */
export function configFileOf(folder: string): string {
  const own = join(folder, 'tsup.config.ts');
  return existsSync(own) ? own : COMMON_CONFIG;
}

/** Returns the names of our packages that the package's code contains, which are those of its tsup.config.ts. */
async function containedPackages(folder: string): Promise<readonly string[]> {
  return (await notExternal(folder)).filter((name) => name.startsWith('@partner-hiring/'));
}

/** Returns the names of the packages that a build may contain. */
export async function notExternal(folder: string): Promise<readonly string[]> {
  const file = configFileOf(folder);
  const config: { default: Options | readonly Options[] } =
    file === COMMON_CONFIG ? { default: plainLibrary(folder) as Options } : await import(file);
  const names = [config.default].flat().flatMap(({ noExternal = [] }) => noExternal);
  return names.filter((name) => typeof name === 'string');
}

function writeDeclarations(dist: string, chunks: readonly OutputChunk[], hasCommonJs: boolean): void {
  removeDeclarations(dist);
  for (const { fileName, code } of chunks) {
    const file = join(dist, fileName);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, code);
    if (hasCommonJs) writeFileSync(file.replace(/\.d\.ts$/, '.d.cts'), ofCommonJs(code));
  }
}

function removeDeclarations(dist: string): void {
  const files = existsSync(dist) ? readdirSync(dist, { recursive: true, encoding: 'utf8' }) : [];
  for (const file of files.filter((name) => /\.d\.c?ts$/.test(name))) rmSync(join(dist, file));
}

/** The same declarations in a `.d.cts` file, which imports `.d.cts` files. */
function ofCommonJs(code: string): string {
  return code.replaceAll(/((?:from |import\()(['"])\.{1,2}\/[^'"]+)\.js\2/g, '$1.cjs$2');
}
