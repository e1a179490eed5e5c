import { basename, join } from 'node:path';
import { optionalPeers, publishedPackages, readManifest } from '../packages/manifest.js';

/** What to install for a host or a partner. */
export interface Stack {
  /** Our packages, by the names of their folders. */
  readonly packages: readonly string[];
  /** Other packages, such as `pg@^8.11.0`. */
  readonly libraries: readonly string[];
}

const OURS = '@partner-hiring/';
const STORAGES = ['sqlite', 'postgres'];
/** Packages that do nothing without a storage. */
const ON_STORAGE = ['core', 'express', 'fastify', 'nest', 'node', 'console', 'cli', 'testing'];

/** The libraries with which a host runs its transactions, by the names of their adapters. */
const LIBRARIES: Readonly<Record<string, (words: readonly string[]) => readonly string[]>> = {
  drizzle: () => ['drizzle-orm'],
  knex: () => ['knex'],
  kysely: () => ['kysely'],
  'postgres-js': () => ['postgres'],
  prisma: (words) => [
    'prisma',
    '@prisma/client',
    ...(words.includes('postgres') ? ['@prisma/adapter-pg'] : []),
    ...(words.includes('sqlite') ? ['@prisma/adapter-better-sqlite3'] : []),
  ],
  typeorm: () => ['typeorm'],
};

/**
 * Returns what a stack needs: the named packages, those of ours that they need, and their peers. With `nest`, the words
 * `express` and `fastify` name the platform, because the Nest module contains both adapters.
 * @throws Error that names the fix for an unknown word, and for a host without a storage.
 */
export function resolveStack(words: readonly string[]): Stack {
  const all = publishedPackages().map((folder) => basename(folder));
  const unknown = words.find((word) => !all.includes(word) && !(word in LIBRARIES));
  if (unknown !== undefined) {
    const known = [...all, ...Object.keys(LIBRARIES)].join(', ');
    throw new Error(`"${unknown}" is not part of a stack. Choose from: ${known}.`);
  }
  if (words.some((word) => ON_STORAGE.includes(word)) && !words.some((word) => STORAGES.includes(word))) {
    throw new Error('This stack has no storage. Add sqlite or postgres.');
  }
  const isNest = words.includes('nest');
  const isOwn = (word: string) => all.includes(word) && !(isNest && ['express', 'fastify'].includes(word));
  const packages = withNeeded(words.filter(isOwn));
  const manifests = packages.map((name) => readManifest(folderOf(name)));
  const peers = manifests.flatMap((manifest) => {
    const { peerDependencies = {} } = manifest;
    return Object.entries(peerDependencies)
      .filter(([name]) => !name.startsWith(OURS) && !optionalPeers(manifest).includes(name))
      .map(([name, range]) => `${name}@${range}`);
  });
  const platform = isNest ? [`@nestjs/platform-${words.includes('fastify') ? 'fastify' : 'express'}`] : [];
  const others = words.flatMap((word) => LIBRARIES[word]?.(words) ?? []);
  return { packages, libraries: [...new Set([...peers, ...platform, ...others])] };
}

/** Adds the packages of ours that these need, in the order of the list of all packages. */
function withNeeded(names: readonly string[]): readonly string[] {
  const found = new Set<string>();
  const waiting = [...names];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    found.add(name);
    const manifest = readManifest(folderOf(name));
    const { dependencies, peerDependencies } = manifest;
    const needed = Object.keys({ ...dependencies, ...peerDependencies })
      .filter((each) => each.startsWith(OURS) && !optionalPeers(manifest).includes(each))
      .map((each) => each.slice(OURS.length));
    waiting.push(...needed.filter((each) => !found.has(each)));
  }
  return publishedPackages()
    .map((folder) => basename(folder))
    .filter((name) => found.has(name));
}

function folderOf(name: string): string {
  const folder = publishedPackages().find((each) => basename(each) === name);
  if (folder === undefined) throw new Error(`The package ${name} is not published.`);
  return folder;
}

/** Returns the command that installs a stack from the tarballs in a folder. */
export function installLine({ packages, libraries }: Stack, folder: string): string {
  const tarballs = packages.map((name) => join(folder, tarballOf(name)));
  return ['npm install', ...[...tarballs, ...libraries].map(quoted)].join(' ');
}

/** The file name that `npm pack` gives a package. */
export function tarballOf(name: string): string {
  return `partner-hiring-${name}-${readManifest(folderOf(name)).version}.tgz`;
}

/** Quotes a word for a shell if it must be quoted. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
