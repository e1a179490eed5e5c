import { existsSync, readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { runCommand } from './run-command.js';

/**
 * Fetches a Node from npm, where the package `node` brings the binary and its headers. Answers an environment
 * in which `node`, `npm` and whatever they start run on it.
 */
export async function installNode(version: string, folder: string): Promise<NodeJS.ProcessEnv> {
  await mkdir(folder, { recursive: true });
  // The install script fetches the package of this platform; npm 12 asks to be told that it may.
  const manifest = { private: true, allowScripts: { node: true } };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await runCommand(folder, process.env, 'npm', ['install', '--no-save', `node@${version}`]);

  const installed = join(folder, 'node_modules/node');
  return {
    ...process.env,
    PATH: [join(installed, 'bin'), process.env.PATH].join(delimiter),
    // Native modules are compiled against the headers of that Node, without fetching them from elsewhere.
    npm_config_nodedir: findHeaders(join(installed, 'node_modules')),
  };
}

function findHeaders(folder: string): string {
  const name = readdirSync(folder).find((entry) => existsSync(join(folder, entry, 'include/node/node.h')));
  if (name === undefined) throw new Error('The package node has brought no headers.');
  return join(folder, name);
}
