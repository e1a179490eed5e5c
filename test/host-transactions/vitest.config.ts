import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import all from '../../vitest.config.js';

const others = fileURLToPath(new URL('others/node_modules/', import.meta.url));
const usual = all.resolve?.alias;

/** The libraries of which `run.ts` has installed another version. */
const replaced = ['drizzle-orm', 'knex', 'kysely', 'postgres', 'typeorm']
  .filter((name) => existsSync(others + name))
  .map((name) => ({ find: new RegExp(`^(${name})(/.*)?$`), replacement: `${others}$1$2` }));

/** The adapters for host transactions, with Prisma. `run.ts` prepares what they need. */
export default defineConfig({
  resolve: { alias: [...(Array.isArray(usual) ? usual : []), ...replaced] },
  test: {
    include: ['test/host-transactions/**/*.test.ts'],
    exclude: [...configDefaults.exclude, 'test/host-transactions/orms/docs/**', '**/host-libraries.test.ts'],
    globalSetup: ['test/support/postgres/setup.ts'],
    setupFiles: [fileURLToPath(new URL('../support/globals-setup.ts', import.meta.url))],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    restoreMocks: true,
  },
});
