import { defineConfig } from 'vitest/config';
import outside from '../vitest.config.js';

/** The hosts of all frameworks, in projects outside the repository. */
export default defineConfig({
  ...outside,
  test: { ...outside.test, include: ['test/outside/frameworks/*.test.ts'] },
});
