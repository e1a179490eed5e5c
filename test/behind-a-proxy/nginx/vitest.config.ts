import { defineConfig } from 'vitest/config';
import all, { common } from '../../../vitest.config.js';

/** All pages behind a real nginx. It needs a package that npm does not bring. */
export default defineConfig({
  resolve: { ...all.resolve },
  test: {
    ...common,
    include: ['test/behind-a-proxy/nginx/*.test.ts'],
    env: { STORAGE: 'sqlite' },
  },
});
