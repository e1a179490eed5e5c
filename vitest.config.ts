import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { PROJECTS } from './test/tools/projects/projects.js';

const root = new URL('./', import.meta.url);
const { compilerOptions } = JSON.parse(readFileSync(new URL('tsconfig.json', root), 'utf8')) as {
  compilerOptions: { paths: Record<string, [string]> };
};

/** Tests run on the sources: the packages' names lead where tsconfig.json says. */
export const alias = Object.entries(compilerOptions.paths).map(([name, [path]]) => ({
  find: new RegExp(`^${name.replace('*', '(.*)')}$`),
  replacement: fileURLToPath(new URL(path, root)).replace('*', '$1'),
}));

/** Tests that need PostgreSQL, and those that run on both databases. */
const ON_POSTGRES = [
  'packages/postgres/src/**/*.test.ts',
  '{packages/testing/src,test/support}/**/*.postgres.test.ts',
  'test/**/{postgres,*.postgres}.test.ts',
];
const ON_BOTH = [
  'test/scenarios/**/*.test.ts',
  'test/console/*.test.ts',
  'test/portal/*.test.ts',
  'test/parked/*.test.ts',
  'test/conformance/http-fastify.test.ts',
  'test/faults/worker-*.test.ts',
  'test/faults/client*.test.ts',
  'test/faults/abuse*.test.ts',
  'test/cli/{doctor-commands,doctor-healthy,doctor-schema,doctor-sealing-key,jobs-sync,jobs-sync-process,kept-jobs,migrate,partners,poisoned,requests,reseal,status}.test.ts',
];

/**
 * Tests of ON_BOTH that do the same on each database, and take long. They run on PostgreSQL with `FULL=1`: the other ways
 * to mount the API, the alarm, which reads only metrics, clocks that jump, gaps over days, what the sandbox decides, what is
 * refused before a storage is asked, or as unknown, what the audit says of each act, and requests that are parked.
 */
const AGAIN_ON_POSTGRES = [
  'test/scenarios/worker/{alarm,gaps,restless-clock}.test.ts',
  'test/scenarios/sandbox/{applications,jobs}.test.ts',
  'test/scenarios/operator/{inputs,limited-to,texts,undefined-inputs}.test.ts',
  'test/scenarios/audit/acts.test.ts',
  'test/console/unknown-input.test.ts',
  'test/parked/*.test.ts',
];
const MOUNTS_AGAIN = ['test/conformance/{http,nest}-*.test.ts'];
const IS_FULL = process.env.FULL === '1';

/**
 * On PostgreSQL, `npm test` runs the tests that use its locks, clocks, processes or own SQL, but not those that wait for
 * servers that fail, or move cells.
 */
const DIFFERENT_ON_POSTGRES = [
  'packages/postgres/src/**/!(migrations|migration-rights|online-migrations|idle|lost-standby|pipeline-check|several-hosts).test.ts',
  'test/architecture/*.postgres.test.ts',
  'test/conformance/postgres.test.ts',
  'test/scenarios/!(cells)/**/!(held-by-host).postgres.test.ts',
  'test/scenarios/*.postgres.test.ts',
  'test/scenarios/{clocks,lists-under-change,two-processes}.test.ts',
  'test/scenarios/endpoints/{optimistic-batches,own-rows,idempotency}.test.ts',
  'test/scenarios/find/*.test.ts',
  'test/scenarios/go-live/{probes,recording}.test.ts',
  'test/scenarios/inbox/{hand-over,transactions}.test.ts',
  'test/scenarios/operator/{applications,at-once,commits,many-jobs,visibility.property}.test.ts',
  'test/scenarios/personal-data/{erase,erased-items}.test.ts',
  'test/scenarios/secrets/*.test.ts',
  'test/scenarios/system/statements.test.ts',
  'test/scenarios/worker/{clocks,crashes,crashes.property,leases,leasing,pause-race,recording,taking-turns}.test.ts',
];

/**
 * What `npm test` leaves to `npm run test:rest`: processes that are killed, programs, also those of the docs, pages of the
 * console, mounts beside Express and Fastify, and three tables of every command or of days. They take more than half of the time.
 */
const RARE = [
  'test/certify/**/*.test.ts',
  'test/cli/**/*.test.ts',
  'test/behind-a-proxy/*.test.ts',
  'test/conformance/outside.test.ts',
  'test/console/*.test.ts',
  'test/portal/*.test.ts',
  'test/conformance/{http-fetch-handler,http-node,nest-*}.test.ts',
  'test/docs/{adapters,command-line,deploy,examples,hardening,host,packages,partner,programs,project}.test.ts',
  'test/examples/**/*.test.ts',
  'test/scenarios/audit/acts.test.ts',
  'test/scenarios/operator/{inputs,limited-to,texts,undefined-inputs}.test.ts',
  'test/scenarios/worker/{alarm,gaps}.test.ts',
  'test/faults/**/*.test.ts',
  'test/parked/**/*.test.ts',
  'test/shutdown/**/*.test.ts',
  'packages/testing/src/**/*.test.ts',
];

/** `npm test` sets `often`, `npm run test:rest` sets `rest`. All tests run where neither is set. */
const TESTS = process.env.TESTS ?? 'all';

/** A selection that also runs on eight cells. All others do with `CELLS=8 npx vitest run --project postgres`. */
const ON_CELLS = [
  'test/scenarios/{lists-under-change,states,two-processes}.test.ts',
  'test/scenarios/endpoints/{own-rows,optimistic-batches}.test.ts',
  'test/scenarios/find/look-ups.test.ts',
  'test/scenarios/inbox/hand-over.test.ts',
  'test/scenarios/operator/{applications,job-sync.property,job-sync-workers,job-visibility,visibility.property}.test.ts',
  'test/scenarios/personal-data/erase.test.ts',
  'test/scenarios/system/{bound-when-used,copies}.test.ts',
];

/** What runs on built files, in a project of its own. */
const ON_BUILT_FILES = 'test/verifier/**/*.test.ts';

/** Programs of pages use decorators as Nest's projects do, in folders without a tsconfig.json. */
export const oxc = { decorator: { legacy: true } };

// One process loads the sources once for all its files, which takes a third of the time. So a test leaves nothing
// behind in a module, the environment or a global; what is set up looks whether the clock is left as it was.
export const common = {
  // A machine that is twenty times as slow still passes. Only a test that hangs reaches these.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
  restoreMocks: true,
  unstubEnvs: true,
  isolate: false,
  setupFiles: [fileURLToPath(new URL('test/support/globals-setup.ts', root))],
};

export default defineConfig({
  resolve: { alias },
  test: {
    // Many tests wait, for a database or for the clock: two cores have room for three processes.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        resolve: { alias },
        oxc,
        test: {
          ...common,
          name: 'sqlite',
          include: TESTS === 'rest' ? RARE : ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'],
          // What lies in test/tools/packages runs on the tarballs, in projects of its own; the next three have commands of their own.
          exclude: [
            ...configDefaults.exclude,
            'test/tools/packages/**',
            ...PROJECTS.map((folder) => `${folder}/**`),
            'test/pgbouncer/**',
            'test/behind-a-proxy/nginx/**',
            'test/host-transactions/prisma/**',
            'test/failover/**',
            'test/citus/**',
            'test/outside/**',
            'test/console/browser/**',
            'test/portal/browser/**',
            'test/console/pictures/**',
            ON_BUILT_FILES,
            ...ON_POSTGRES,
            ...(TESTS === 'often' ? RARE : []),
          ],
          env: { STORAGE: 'sqlite' },
          globalSetup: ['test/support/missing-columns.ts'],
        },
      },
      {
        resolve: { alias },
        oxc,
        test: {
          ...common,
          name: 'postgres',
          include:
            TESTS === 'often'
              ? DIFFERENT_ON_POSTGRES
              : [...ON_POSTGRES, ...ON_BOTH, ...(IS_FULL ? MOUNTS_AGAIN : [])],
          exclude: [
            ...configDefaults.exclude,
            ...PROJECTS.map((folder) => `${folder}/**`),
            'test/host-transactions/prisma/**',
            ...(IS_FULL ? [] : AGAIN_ON_POSTGRES),
            ...(TESTS === 'rest' ? DIFFERENT_ON_POSTGRES : []),
          ],
          env: { STORAGE: 'postgres' },
          globalSetup: ['test/support/missing-columns.ts', 'test/support/postgres/setup.ts'],
        },
      },
      {
        resolve: { alias },
        oxc,
        test: {
          ...common,
          name: 'cells',
          include: TESTS === 'often' ? [] : ON_CELLS,
          env: { STORAGE: 'postgres', CELLS: '8' },
          globalSetup: ['test/support/missing-columns.ts', 'test/support/postgres/setup.ts'],
        },
      },
      {
        test: {
          ...common,
          name: 'verifier',
          include: TESTS === 'rest' ? [] : [ON_BUILT_FILES],
          globalSetup: ['test/verifier/build-setup.ts'],
          // Loaded by Node itself, as by whoever installs the package.
          server: { deps: { external: [/\/webhook-verifier\/dist\//] } },
        },
      },
    ],
  },
});
