import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';
import { VECTORS_FILE } from '../vectors/vectors-file.js';

/** The path or name that the suite imports. */
export interface PackageUnderTest {
  readonly index: string;
  readonly fetch: string;
}

const SUITE = fileURLToPath(new URL('../suite/suite.ts', import.meta.url));

/**
 * Bundles the suite and the vectors as a module that exports `run`, which returns results.
 *
 * @param ending - code at the end of the module.
 */
export async function bundleSuite(
  { index, fetch }: PackageUnderTest,
  ending: string,
  options: BuildOptions,
): Promise<string> {
  const contents = `
    import * as verifier from ${JSON.stringify(index)};
    import * as fetchEntry from ${JSON.stringify(fetch)};
    import vectors from ${JSON.stringify(VECTORS_FILE)};
    import { runTests } from ${JSON.stringify(SUITE)};
    export const run = () => runTests({ verifier, fetchEntry, vectors });
    ${ending}`;
  const { outputFiles } = await build({
    ...options,
    stdin: { contents, resolveDir: options.absWorkingDir ?? fileURLToPath(new URL('.', import.meta.url)) },
    bundle: true,
    format: 'esm',
    target: 'es2022',
    write: false,
    logLevel: 'error',
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error('esbuild has made nothing.');
  return file.text;
}
