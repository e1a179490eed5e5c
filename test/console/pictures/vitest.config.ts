import { defineConfig } from 'vitest/config';
import all from '../../../vitest.config.js';

/** Writes the pictures of the docs: `npm run pictures`. */
export default defineConfig({
  resolve: all.resolve ?? {},
  oxc: { decorator: { legacy: true } },
  test: {
    include: ['test/console/pictures/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    env: { STORAGE: 'sqlite' },
  },
});
