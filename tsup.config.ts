import { defineConfig, type Options } from 'tsup';

const NO_FIELDS = { 'class-field': false, 'class-static-field': false };

/**
 * How every package is built: ESM with CommonJS beside it, each with types of its own. A package's own
 * tsup.config.ts names what differs. `TYPES=off` leaves the declarations as they are, for benchmarks, tests of
 * built files and quick starts.
 */
export function library(options: Options) {
  const hasTypes = process.env.TYPES !== 'off';
  return defineConfig({
    format: ['esm', 'cjs'],
    target: 'node20',
    platform: 'node',
    dts: hasTypes && { compilerOptions: { noEmit: false } },
    clean: hasTypes || ['!**/*.d.{ts,cts}'],
    splitting: true,
    shims: true,
    sourcemap: true,
    // What makes CommonJS of split files would rewrite classes with fields, and they would lose their names.
    esbuildOptions: (esbuild, { format }) => {
      if (format === 'cjs') esbuild.supported = { ...esbuild.supported, ...NO_FIELDS };
    },
    ...options,
  });
}
