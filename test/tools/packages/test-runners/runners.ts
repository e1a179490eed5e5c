import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../manifest.js';
import { runWith } from '../run.js';

type Environment = Readonly<Record<string, string>>;

/** A test runner, with the way it compiles TypeScript. */
export interface TestRunner {
  readonly name: string;
  readonly type: 'module' | 'commonjs';
  /** The program that declares the tests. */
  readonly program: 'jest.test.ts' | 'node.ts' | 'vitest.test.mts';
  readonly config: Readonly<Record<string, unknown>>;
  /** Runs the tests and returns how many passed. @throws Error with the output if one fails. */
  run(folder: string, env: Environment): Promise<number>;
}

/** A slow machine takes longer than the defaults of the runners. */
const SLOW_MS = 60_000;

const NODE_ESM = nodeTest('node:test, ES modules', 'module');
const NODE_CJS = nodeTest('node:test, CommonJS', 'commonjs');

/** The settings that a new project of each runner has, and nothing about our packages. */
export const RUNNERS: readonly TestRunner[] = [
  NODE_ESM,
  NODE_CJS,
  vitest('forks'),
  vitest('threads'),
  vitest('vmThreads'),
  jest('Jest with ts-jest, CommonJS', 'commonjs', { preset: 'ts-jest' }),
  jest('Jest with ts-jest, ES modules', 'module', { preset: 'ts-jest/presets/default-esm' }),
  jest('Jest with @swc/jest, CommonJS', 'commonjs', { transform: swc('commonjs') }),
  jest('Jest with @swc/jest, ES modules', 'module', {
    transform: swc('es6'),
    extensionsToTreatAsEsm: ['.ts'],
  }),
  jest('Jest with fake timers, CommonJS', 'commonjs', { transform: swc('commonjs'), fakeTimers: fake() }),
  jest('Jest with fake timers, ES modules', 'module', {
    transform: swc('es6'),
    extensionsToTreatAsEsm: ['.ts'],
    fakeTimers: fake(),
  }),
];

/** Creates the project of a runner in a folder below the installed packages. */
export function layOut(scratch: string, { name, type, program, config }: TestRunner): string {
  const folder = join(scratch, name.replace(/\W+/g, '-'));
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type, jest: config }));
  const compilerOptions = {
    target: 'es2022',
    module: 'node16',
    strict: true,
    esModuleInterop: true,
    isolatedModules: true,
    skipLibCheck: true,
    types: ['node'],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  for (const file of ['errors.ts', 'stories.ts', program]) {
    writeFileSync(
      join(folder, file),
      readFileSync(join(root, 'test/tools/packages/test-runners', file), 'utf8'),
    );
  }
  return folder;
}

function nodeTest(name: string, type: TestRunner['type']): TestRunner {
  return {
    name,
    type,
    program: 'node.ts',
    config: {},
    run: async (folder, env) => {
      await runWith(env, folder, 'npx', 'tsc', '-p', '.');
      const report = await runWith(env, folder, process.execPath, '--test', '--test-reporter=tap', 'node.js');
      return Number(/^# pass (\d+)$/m.exec(report)?.[1]);
    },
  };
}

/** `forks` is the default. `vmThreads` gives each file globals of its own, as Jest does. */
function vitest(pool: 'forks' | 'threads' | 'vmThreads'): TestRunner {
  return {
    name: `Vitest, ${pool}`,
    type: 'module',
    program: 'vitest.test.mts',
    config: {},
    run: async (folder, env) => {
      const flags = ['--reporter=json', `--testTimeout=${SLOW_MS}`, `--pool=${pool}`];
      return countPassed(await runWith(env, folder, 'npx', 'vitest', 'run', ...flags));
    },
  };
}

function jest(name: string, type: TestRunner['type'], config: TestRunner['config']): TestRunner {
  return {
    name,
    type,
    program: 'jest.test.ts',
    // Our programs import each other as `./stories.js`, like compiled ES modules.
    config: {
      testEnvironment: 'node',
      testTimeout: SLOW_MS,
      moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
      ...config,
    },
    run: async (folder, env) => {
      const flags = type === 'module' ? ['--experimental-vm-modules', '--no-warnings'] : [];
      const program = join(folder, '../node_modules/jest/bin/jest.js');
      return countPassed(
        await runWith(env, folder, process.execPath, ...flags, program, '--json', '--silent'),
      );
    },
  };
}

function swc(type: 'commonjs' | 'es6'): object {
  const jsc = { parser: { syntax: 'typescript' }, target: 'es2022' };
  return { '^.+\\.ts$': ['@swc/jest', { jsc, module: { type } }] };
}

/** All but `nextTick`, which the driver of PostgreSQL needs. Jest puts them in place before it loads our packages. */
function fake(): object {
  return { enableGlobally: true, doNotFake: ['nextTick'] };
}

/** Reads the report of Jest, which Vitest writes too. */
function countPassed(report: string): number {
  const { numPassedTests } = JSON.parse(report.slice(report.indexOf('{'))) as { numPassedTests: number };
  return numPassedTests;
}
