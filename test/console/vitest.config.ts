import { defineConfig } from 'vitest/config';
import all from '../../vitest.config.js';

const common = {
  include: ['test/console/browser/*.test.ts'],
  testTimeout: 120_000,
  hookTimeout: 120_000,
  fileParallelism: false,
  restoreMocks: true,
};

/** The ways to mount the console in `mounts.ts` that a host would choose. */
const MOUNTS = [
  'Express 5',
  'Express 5 behind body parsers',
  'Fastify',
  'Nest on Express',
  'Nest on Fastify',
  'Hono',
  'a server of web requests',
  'Node’s own server',
];
const mounts = process.env.CONSOLE_MOUNTS === 'all' ? MOUNTS : [undefined];
const isSpread = mounts.length > 1;

const TASKS = ['test/console/browser/tasks*.test.ts'];

/**
 * A browser on one storage and one mount. All mounts and storages run the tasks. The checks of accessibility run once,
 * because the pages look the same everywhere.
 */
function project(storage: 'sqlite' | 'postgres', mount: string | undefined) {
  return {
    resolve: all.resolve ?? {},
    oxc: { decorator: { legacy: true } },
    test: {
      ...common,
      include: isSpread || storage === 'postgres' ? TASKS : common.include,
      name: mount === undefined ? storage : `${storage}, ${mount}`,
      env: { STORAGE: storage, ...(mount === undefined ? {} : { CONSOLE_MOUNT: mount }) },
      ...(storage === 'postgres' && { globalSetup: ['packages/test-support/src/postgres/setup.ts'] }),
    },
  };
}

/**
 * The console in a real Chromium, on both storages: `npm run test:console`. With `CONSOLE_MOUNTS=all`, the tasks run on
 * every mount: `npm run test:mounts`.
 */
export default defineConfig({
  resolve: all.resolve ?? {},
  test: { projects: mounts.flatMap((mount) => [project('sqlite', mount), project('postgres', mount)]) },
});
