import { defineConfig } from 'vitest/config';
import all from '../../vitest.config.js';

/** Failovers between two servers of Debian's PostgreSQL. They need a package that npm does not bring. */
export default defineConfig({
  ...all,
  test: {
    include: ['test/failover/*.test.ts'],
    globalSetup: ['test/failover/setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    restoreMocks: true,
    fileParallelism: false,
  },
});
