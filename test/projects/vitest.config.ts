import { defineConfig } from 'vitest/config';
import { alias, common } from '../../vitest.config.js';
import { PROJECTS } from './projects.js';

/** The tests of the projects of their own. `npm run test:projects` installs what they need. */
export default defineConfig({
  resolve: { alias },
  test: {
    ...common,
    include: PROJECTS.map((folder) => `${folder}/**/*.test.ts`),
  },
});
