import { defineConfig } from 'vitest/config';
import all from '../../vitest.config.js';

/** The storage suite behind a real PgBouncer. It needs a package that npm does not bring. */
export default defineConfig({
  ...all,
  test: {
    include: ['test/pgbouncer/*.test.ts'],
    globalSetup: ['test/pgbouncer/setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    restoreMocks: true,
  },
});
