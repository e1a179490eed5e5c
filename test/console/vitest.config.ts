import { defineConfig } from 'vitest/config';
import all from '../../vitest.config.js';

const common = {
  include: ['test/console/browser/*.test.ts'],
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // A machine that is slow still passes.
  expect: { poll: { timeout: 60_000 } },
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

/** `CONSOLE_TASKS=ci` runs only the tasks of CI, from `browser/tasks/all-tasks.ts`. */
const isCi = process.env.CONSOLE_TASKS === 'ci';
const TASKS = ['test/console/browser/tasks.test.ts'];
/** The few tasks of the portal in CI share the run, because starting one costs as much as they do. */
const PORTAL_TASKS = ['test/portal/browser/tasks.test.ts'];
const ON_ALL = [...TASKS, 'test/console/browser/behaviour.test.ts'];

function filesOf(storage: 'sqlite' | 'postgres'): readonly string[] {
  if (isCi) return storage === 'sqlite' ? [...TASKS, ...PORTAL_TASKS] : TASKS;
  return isSpread || storage === 'postgres' ? ON_ALL : common.include;
}

/**
 * A browser on one storage and one mount. All mounts and storages run the tasks. The checks of accessibility run once,
 * because the pages look the same everywhere.
 */
function project(storage: 'sqlite' | 'postgres', mount: string | undefined) {
  const name = mount === undefined ? storage : `${storage}, ${mount}`;
  return browserProject(storage, name, filesOf(storage), mount === undefined ? {} : { CONSOLE_MOUNT: mount });
}

/** Test files with a browser, on one storage. */
export function browserProject(
  storage: 'sqlite' | 'postgres',
  name: string,
  include: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  return {
    resolve: all.resolve ?? {},
    oxc: { decorator: { legacy: true } },
    test: {
      ...common,
      name,
      include: [...include],
      env: { STORAGE: storage, ...env },
      ...(storage === 'postgres' && { globalSetup: ['test/support/postgres/setup.ts'] }),
    },
  };
}

/**
 * The console in a real Chromium, on both storages: `npm run test:console`. With `CONSOLE_MOUNTS=all`, the tasks run on
 * every mount: `npm run test:mounts`. With `CONSOLE_TASKS=ci`, few tasks run: `npm run test:console:ci`.
 */
export default defineConfig({
  resolve: all.resolve ?? {},
  test: {
    // Half of a task is waiting for the browser, so two storages run beside each other on two cores.
    maxWorkers: 2,
    projects: mounts.flatMap((mount) => [project('sqlite', mount), project('postgres', mount)]),
  },
});
