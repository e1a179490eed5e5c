import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from './manifest.js';

/** Bundles a host with core, minified, without storages, drivers and, in ESM, undici. */
export async function bundleHost(folder: string, type: 'module' | 'commonjs'): Promise<string> {
  const program = join(folder, 'bundled-host.ts');
  cpSync(join(root, 'test/tools/packages/bundled-host.ts'), program);
  const isModule = type === 'module';
  const outfile = join(folder, isModule ? 'bundled-host.mjs' : 'bundled-host.cjs');
  await build({
    absWorkingDir: folder,
    entryPoints: [program],
    outfile,
    bundle: true,
    minify: true,
    platform: 'node',
    format: isModule ? 'esm' : 'cjs',
    external: ['@partner-hiring/postgres', 'pg', ...(isModule ? ['undici'] : [])],
    logLevel: 'error',
  });
  return outfile;
}
