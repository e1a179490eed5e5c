/**
 * Runs the benchmarks on Node 24, which the job queues need that they compare with. Installs Node and these libraries in
 * this folder. `npm run bench -- --quick`, or `npm run bench:built -- --quick` if the packages are built.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { installNode } from '../tools/matrix/install-node.js';
import { installProject } from '../tools/projects/projects.js';

const HERE = fileURLToPath(new URL('./', import.meta.url));
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const TSUP = join(
  dirname(createRequire(import.meta.url).resolve('tsup/package.json')),
  'dist/cli-default.js',
);

const NODE_FOLDER = join(HERE, 'node');
const NODE = join(NODE_FOLDER, 'node_modules/node/bin/node');

/** Runs a program of Node and shows its output. @throws Error with its exit code if it fails. */
function run(node: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): void {
  const { status, signal } = spawnSync(node, args, { cwd: ROOT, env, stdio: 'inherit' });
  if (status === 0) return;
  process.exitCode = status ?? 1;
  throw new Error(`${args[0]} ended with ${status ?? signal}.`);
}

installProject('test/bench');
if (!existsSync(NODE)) await installNode('24', NODE_FOLDER);
try {
  run(process.execPath, [TSUP, '--silent', '--config', 'test/bench/tsup.config.ts']);
  const driver = pathToFileURL(join(HERE, 'newer-driver.mjs')).href;
  run(NODE, ['test/bench/dist/main.js', ...process.argv.slice(2)], {
    ...process.env,
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${driver}`,
  });
} catch (error) {
  if (process.exitCode === undefined) throw error;
}
