import { existsSync, readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { runCommand } from './run-command.js';

/**
 * Installs a Node from npm, and returns an environment in which `node`, `npm` and their children use it.
 */
export async function installNode(version: string, folder: string): Promise<NodeJS.ProcessEnv> {
  await mkdir(folder, { recursive: true });
  // The install script fetches the binary; npm 12 needs permission to run it.
  const manifest = { private: true, allowScripts: { node: true } };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await runCommand(folder, process.env, 'npm', ['install', '--no-save', `node@${version}`]);

  const installed = join(folder, 'node_modules/node');
  return {
    ...process.env,
    PATH: [join(installed, 'bin'), process.env.PATH].join(delimiter),
    // Native modules compile against its headers without a download.
    npm_config_nodedir: findHeaders(join(installed, 'node_modules')),
  };
}

function findHeaders(folder: string): string {
  const name = readdirSync(folder).find((entry) => existsSync(join(folder, entry, 'include/node/node.h')));
  if (name === undefined) throw new Error('The package node has no headers.');
  return join(folder, name);
}
