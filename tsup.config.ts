import { defineConfig, type Options } from 'tsup';

/**
 * How every package is built: ESM with CommonJS beside it, each with types of its own. A package's own
 * tsup.config.ts names what differs. `TYPES=off` leaves the declarations out, for benchmarks and quick starts.
 */
export function library(options: Options) {
  return defineConfig({
    format: ['esm', 'cjs'],
    target: 'node20',
    platform: 'node',
    dts: process.env.TYPES === 'off' ? false : { compilerOptions: { noEmit: false } },
    clean: true,
    splitting: true,
    shims: true,
    sourcemap: true,
    ...options,
  });
}
