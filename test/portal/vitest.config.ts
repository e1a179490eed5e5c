import { defineConfig } from 'vitest/config';
import all from '../../vitest.config.js';
import { browserProject } from '../console/vitest.config.js';

/** The portal in a real Chromium: all tasks on both storages, and its looks once. `npm run test:portal`. */
export default defineConfig({
  resolve: all.resolve ?? {},
  test: {
    maxWorkers: 2,
    projects: [
      browserProject('sqlite', 'sqlite', ['test/portal/browser/*.test.ts']),
      browserProject('postgres', 'postgres', ['test/portal/browser/tasks.test.ts']),
    ],
  },
});
