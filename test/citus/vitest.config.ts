import { defineConfig } from 'vitest/config';
import all from '../../vitest.config.js';

const { CITUS_STOP_NODE = '' } = process.env;

/** The storage suite and the scenarios with each schema on a node of Citus. They need a coordinator, which npm does not bring. */
export default defineConfig({
  ...all,
  test: {
    include: [
      'test/citus/*.test.ts',
      'test/conformance/{postgres,cells.postgres,within-kysely.postgres,http-*}.test.ts',
      'test/scenarios/**/*.test.ts',
    ],
    // Without the commands, there is no node to stop.
    exclude: CITUS_STOP_NODE === '' ? ['test/citus/node-killed.test.ts'] : [],
    globalSetup: ['test/citus/setup.ts'],
    setupFiles: ['test/support/globals-setup.ts'],
    env: { STORAGE: 'postgres' },
    isolate: false,
    // Citus creates each table in several steps, on two servers.
    testTimeout: 120_000,
    hookTimeout: 300_000,
    restoreMocks: true,
    unstubEnvs: true,
  },
});
