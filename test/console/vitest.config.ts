import { defineConfig } from 'vitest/config';
import all from '../../vitest.config.js';

const common = {
  include: ['test/console/browser/*.test.ts'],
  testTimeout: 120_000,
  hookTimeout: 120_000,
  fileParallelism: false,
  restoreMocks: true,
};

/** The console in a real Chromium, on both storages: `npm run test:console`. */
export default defineConfig({
  resolve: all.resolve ?? {},
  test: {
    projects: [
      { resolve: all.resolve ?? {}, test: { ...common, name: 'sqlite', env: { STORAGE: 'sqlite' } } },
      {
        resolve: all.resolve ?? {},
        test: {
          ...common,
          name: 'postgres',
          env: { STORAGE: 'postgres' },
          globalSetup: ['packages/test-support/src/postgres/setup.ts'],
        },
      },
    ],
  },
});
