/** The allowed imports of the packages: other packages, and libraries. */

/** The packages each package may name, beside the libraries of its own `package.json`. */
export const PACKAGE_TABLE: Readonly<Record<string, readonly string[]>> = {
  core: [],
  'node-http': ['@partner-hiring/core'],
  express: ['@partner-hiring/core', '@partner-hiring/node-http'],
  fastify: ['@partner-hiring/core', '@partner-hiring/node-http'],
  node: ['@partner-hiring/core', '@partner-hiring/node-http'],
  console: ['@partner-hiring/core', '@partner-hiring/core/contract', '@partner-hiring/node-http'],
  nest: ['@partner-hiring/core', '@partner-hiring/express', '@partner-hiring/fastify'],
  'storage-kysely': ['@partner-hiring/core', '@partner-hiring/core/ports'],
  sqlite: ['@partner-hiring/core', '@partner-hiring/core/ports', '@partner-hiring/storage-kysely'],
  postgres: ['@partner-hiring/core', '@partner-hiring/core/ports', '@partner-hiring/storage-kysely'],
  'partner-docs': ['@partner-hiring/core', '@partner-hiring/core/contract'],
  testing: ['@partner-hiring/core', '@partner-hiring/postgres', '@partner-hiring/sqlite'],
  cli: [
    '@partner-hiring/console',
    '@partner-hiring/core',
    '@partner-hiring/core/contract',
    '@partner-hiring/postgres',
    '@partner-hiring/sqlite',
  ],
  'webhook-verifier': [],
  certify: ['@partner-hiring/core/probes', '@partner-hiring/webhook-verifier'],
  /** The signatures, in its command. */
  client: ['@partner-hiring/webhook-verifier'],
};

/** The libraries that a package's published work rests on; nobody else may name them. */
export const OWNERS: Readonly<Record<string, readonly string[]>> = {
  fastify: ['fastify'],
  express: ['express'],
  '@nestjs/common': ['nest'],
  '@nestjs/core': ['nest'],
  kysely: ['storage-kysely', 'sqlite', 'postgres'],
  'better-sqlite3': ['sqlite'],
  pg: ['postgres', 'testing'],
  zod: ['core'],
  hono: ['console'],
  marked: ['partner-docs'],
  'prom-client': ['core'],
  commander: ['cli'],
};
