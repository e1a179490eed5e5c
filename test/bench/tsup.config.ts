import { defineConfig } from 'tsup';

/** Benchmarks run as plain JavaScript on the built packages: no loader stands between them and the engine. */
export default defineConfig({
  entry: ['test/bench/main.ts', 'test/bench/servers/bare.ts', 'test/bench/servers/sqlite.ts'],
  outDir: 'test/bench/dist',
  format: 'esm',
  target: 'node20',
  splitting: false,
  external: [/^@partner-hiring\//, 'fastify'],
});
