import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { PACKAGE } from './build-package.js';

/** Sizes in bytes. */
export interface Size {
  readonly minified: number;
  readonly gzip: number;
  readonly brotli: number;
}

/** Bundles exports of the portable build for a browser. `*` is the whole module. */
export async function measureSize(names: string, entry = 'index'): Promise<Size> {
  const exported = names === '*' ? '*' : `{ ${names} }`;
  const { outputFiles } = await build({
    stdin: { contents: `export ${exported} from './dist/portable/${entry}.js';`, resolveDir: PACKAGE },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
    logLevel: 'error',
  });
  const [{ contents } = { contents: new Uint8Array() }] = outputFiles;
  return {
    minified: contents.length,
    gzip: gzipSync(contents, { level: 9 }).length,
    brotli: brotliCompressSync(contents).length,
  };
}
