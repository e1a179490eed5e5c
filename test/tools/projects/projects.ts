import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * Folders with a `package.json` and a lock file of their own. They install what `npm test` and `npm start` do without:
 * check tools, other libraries for the same purpose, and the libraries of hosts.
 */
export const PROJECTS = [
  'test/bench',
  'test/tools/browser',
  'test/express4',
  'test/host-transactions/orms',
  'test/openapi/tools',
  'test/tools/packages/tools',
] as const;

/** Another one, which `npm run test:orms` installs, because it also generates clients there. */
export const PRISMA_PROJECT = 'test/host-transactions/prisma';

/** Another one, with tools of partners, which `npm run test:tools` installs. */
export const TOOLS_PROJECT = 'test/openapi/partner-tools';

/** A folder in {@link PROJECTS}, {@link PRISMA_PROJECT} or {@link TOOLS_PROJECT}. */
export type ProjectFolder = (typeof PROJECTS)[number] | typeof PRISMA_PROJECT | typeof TOOLS_PROJECT;

/** Installs the packages of a project's lock file, unless they are installed. */
export function installProject(project: ProjectFolder): void {
  const folder = join(ROOT, project);
  const lock = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
  const stamp = join(folder, 'node_modules/.installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  console.log(`Installing the packages of ${project}.`);
  execFileSync('npm', ['ci', '--ignore-scripts', '--prefer-offline', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  writeFileSync(stamp, lock);
}
