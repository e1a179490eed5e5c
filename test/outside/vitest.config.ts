import { defineConfig } from 'vitest/config';
import all from '../../vitest.config.js';

/** Examples that are projects of their own. They install packages that the workspaces do without. */
export default defineConfig({
  ...all,
  test: {
    include: ['test/outside/*.test.ts'],
    testTimeout: 300_000,
    hookTimeout: 1_200_000,
    fileParallelism: false,
  },
});
