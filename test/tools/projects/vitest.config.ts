import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { alias, common, oxc } from '../../../vitest.config.js';
import { PROJECTS } from './projects.js';

const express4 = fileURLToPath(new URL('../../express4/node_modules/express', import.meta.url));

/** The tests of the projects of their own. `npm run test:projects` installs what they need. */
export default defineConfig({
  test: {
    projects: [
      {
        resolve: { alias },
        oxc,
        test: {
          ...common,
          name: 'projects',
          include: PROJECTS.map((folder) => `${folder}/**/*.test.ts`),
          exclude: [...configDefaults.exclude, 'test/express4/**'],
          globalSetup: ['test/support/postgres/setup.ts'],
        },
      },
      {
        resolve: { alias: [...alias, { find: /^express$/, replacement: express4 }] },
        test: {
          ...common,
          name: 'express 4',
          include: [
            'test/express4/*.test.ts',
            'packages/express/src/*.test.ts',
            'test/conformance/{adapters-agree,http-express}.test.ts',
            'test/console/mounts.test.ts',
          ],
          env: { EXPRESS: '4', STORAGE: 'sqlite' },
        },
      },
      {
        resolve: { alias: [{ find: /^express$/, replacement: express4 }] },
        test: {
          ...common,
          name: 'receivers in Express 4',
          include: ['test/verifier/receivers/*.test.ts'],
          env: { EXPRESS: '4' },
          globalSetup: ['test/verifier/build-setup.ts'],
          server: { deps: { external: [/\/webhook-verifier\/dist\//] } },
        },
      },
    ],
  },
});
