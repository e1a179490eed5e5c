import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { runCommand } from '../../tools/matrix/run-command.js';
import type { TestResult } from '../suite/suite.js';
import { bundleSuite, type PackageUnderTest } from './bundle-suite.js';

/** A runtime from npm. */
export interface Runtime {
  /** The exact versions that the docs name. */
  readonly packages: Readonly<Record<string, string>>;
  /** Runs the suite in a project with these packages and the verifier. */
  run(folder: string, subject: PackageUnderTest): Promise<readonly TestResult[]>;
}

/** Starts a program that prints its results. */
function byCommand(command: string, ...args: readonly string[]): Runtime['run'] {
  return async (folder, subject) => {
    const ending = 'console.log(JSON.stringify(await run()));';
    const text = await bundleSuite(subject, ending, { external: ['@partner-hiring/*', './node_modules/*'] });
    await writeFile(join(folder, 'program.mjs'), text);
    const binary = join(folder, 'node_modules/.bin', command);
    return JSON.parse(await runCommand(folder, process.env, binary, [...args, 'program.mjs'], 'read'));
  };
}

/** The parts of Miniflare that are used. */
interface MiniflareModule {
  readonly Miniflare: new (options: {
    readonly modules: true;
    readonly script: string;
    readonly compatibilityDate: string;
    readonly compatibilityFlags: readonly string[];
  }) => {
    dispatchFetch(url: string): Promise<{ json(): Promise<unknown> }>;
    dispose(): Promise<void>;
  };
}

/** Bundles the verifier like Wrangler, and runs it in a worker with these flags. */
function inWorker(compatibilityFlags: readonly string[]): Runtime['run'] {
  return async (folder, subject) => {
    const { Miniflare }: MiniflareModule = createRequire(join(folder, 'package.json'))('miniflare');
    const ending = 'export default { fetch: async () => Response.json(await run()) };';
    const conditions = ['workerd', 'worker', 'browser'];
    const script = await bundleSuite(subject, ending, { absWorkingDir: folder, conditions, nodePaths: [] });
    const worker = new Miniflare({
      modules: true,
      script,
      compatibilityDate: '2026-01-01',
      compatibilityFlags,
    });
    try {
      return (await (await worker.dispatchFetch('http://localhost/')).json()) as readonly TestResult[];
    } finally {
      await worker.dispose();
    }
  };
}

const MINIFLARE = { miniflare: '4.20260426.0' };

/** The runtimes by name. */
export const RUNTIMES: Readonly<Record<string, Runtime>> = {
  // Without permissions: no files, network or environment.
  deno: {
    packages: { deno: '2.9.6' },
    run: byCommand('deno', 'run', '--no-prompt', '--node-modules-dir=manual'),
  },
  bun: { packages: { bun: '1.4.5' }, run: byCommand('bun', 'run') },
  workerd: { packages: MINIFLARE, run: inWorker([]) },
  'workerd-nodejs': { packages: MINIFLARE, run: inWorker(['nodejs_compat']) },
};
