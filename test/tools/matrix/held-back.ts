/**
 * Packages whose newest version needs Node 22, or belongs to one that does. The workspace has the newest version for Node
 * 20.19, and `npm run test:node -- 22 24 --majors` tests the newest of all. CONTRIBUTING.md gives the reasons.
 */
export const HELD_BACK = [
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/platform-express',
  '@nestjs/platform-fastify',
  '@nestjs/testing',
  '@opentelemetry/exporter-prometheus',
  '@opentelemetry/sdk-metrics',
  '@types/better-sqlite3',
  'better-sqlite3',
  'commander',
  'kysely',
  'p-retry',
  'tsup',
  'undici',
  'vitest',
] as const;
