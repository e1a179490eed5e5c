/** What a fresh clone installs: nothing that npm warns about, and nothing that names the registry it came from. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { satisfies } from 'semver';
import { expect, test } from 'vitest';
import { TSC } from '../tools/compiler/compile-folder.js';
import { HELD_BACK } from '../tools/matrix/held-back.js';
import { PRISMA_PROJECT, PROJECTS, TOOLS_PROJECT } from '../tools/projects/projects.js';
import { ROOT } from './sources.js';

interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly link?: true;
  readonly optional?: true;
  readonly hasInstallScript?: true;
  readonly engines?: { readonly node?: string };
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly dependencies?: Ranges;
  readonly devDependencies?: Ranges;
  readonly optionalDependencies?: Ranges;
  readonly peerDependencies?: Ranges;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

type Ranges = Readonly<Record<string, string>>;

function read<Content>(file: string): Content {
  return JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as Content;
}

const { engines, allowScripts } = read<{
  readonly engines: { readonly node: string };
  readonly allowScripts: Readonly<Record<string, boolean>>;
}>('package.json');
const { packages } = read<{ readonly packages: Readonly<Record<string, LockedPackage>> }>(
  'package-lock.json',
);
const LOCKED = Object.entries(packages);

/** The oldest Node of each line that contributors may use. */
const OLDEST_NODES = ['20.19.0', '22.12.0', '24.0.0', '26.0.0'];

/** `node_modules/a/node_modules/@b/c` is `@b/c`. */
function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

test.each(OLDEST_NODES)('every package that is installed on Node %s supports it', (node) => {
  expect(satisfies(node, engines.node)).toBe(true);
  // npm leaves out an optional package that does not support this Node, without a warning.
  const unsupported = LOCKED.filter(([, { optional }]) => !optional)
    .filter(([, locked]) => !satisfies(node, locked.engines?.node ?? '*'))
    .map(([path, locked]) => `${nameOf(path)}@${locked.version} needs ${locked.engines?.node}`);
  expect(unsupported).toEqual([]);
});

test('package.json allows or denies the install script of each package that has one, and names no other', () => {
  const scripted = LOCKED.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) =>
    nameOf(path),
  );
  expect(Object.keys(allowScripts).sort()).toEqual([...new Set(scripted)].sort());
});

test.each(['.', ...PROJECTS, PRISMA_PROJECT, TOOLS_PROJECT])(
  'the lock file in %s does not say from which registry a package came',
  (folder) => {
    const lock = read<{ readonly packages: typeof packages }>(join(folder, 'package-lock.json'));
    const resolved = Object.entries(lock.packages).filter(
      ([, locked]) => locked.resolved !== undefined && !locked.link,
    );
    expect(resolved.map(([path]) => path)).toEqual([]);
  },
);

/** Whether npm installs the package on Linux with an x64 processor, as on the machines of CI. */
function fitsLinux({ os, cpu, libc }: LockedPackage): boolean {
  const fits = (list: readonly string[] | undefined, value: string) =>
    list === undefined || list.includes(value);
  return fits(os, 'linux') && fits(cpu, 'x64') && fits(libc, 'glibc');
}

/** Returns the place of a dependency in the nearest `node_modules`; null if it is optional and not locked. */
function placeOf(from: string, name: string): string | null {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const place = join(folder, 'node_modules', name);
    if (packages[place] !== undefined) return place;
    if (folder === '') return null;
  }
}

/** Returns the places of all packages of others that `npm ci` installs on Linux. It only links ours. */
function installed(): ReadonlySet<string> {
  const found = new Set<string>();
  const waiting = ['', ...LOCKED.flatMap(([, { link, resolved = '' }]) => (link ? [resolved] : []))];
  for (let from = waiting.pop(); from !== undefined; from = waiting.pop()) {
    const { dependencies, devDependencies, optionalDependencies, ...rest } = packages[from] ?? {};
    const peers = Object.keys(rest.peerDependencies ?? {}).filter(
      (name) => rest.peerDependenciesMeta?.[name]?.optional !== true,
    );
    const names = [
      ...Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies }),
      ...peers,
    ];
    for (const place of names.flatMap((name) => placeOf(from, name) ?? [])) {
      if (found.has(place) || !fitsLinux(packages[place] ?? {})) continue;
      found.add(place);
      waiting.push(place);
    }
  }
  for (const [place, { link }] of LOCKED) if (link) found.delete(place);
  return found;
}

test('CONTRIBUTING.md gives the reason for each package that is held back', () => {
  const page = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
  const direct = LOCKED.flatMap(([path, { dependencies, devDependencies }]) =>
    path.includes('node_modules') ? [] : Object.keys({ ...dependencies, ...devDependencies }),
  );
  expect(HELD_BACK.filter((name) => !direct.includes(name))).toEqual([]);
  const named = page.slice(page.indexOf('These are held back:'));
  expect(HELD_BACK.filter((name) => !named.includes(`\`${name}\``))).toEqual([]);
});

/** Libraries and tools that `npm test` and `npm start` do without belong into a project of `test/tools/projects`. */
const MOST_PACKAGES = 361;

test(`npm ci installs at most ${MOST_PACKAGES} packages of others`, () => {
  const count = installed().size;
  expect(count).toBeGreaterThan(MOST_PACKAGES / 2);
  expect(count).toBeLessThanOrEqual(MOST_PACKAGES);
});

test('`npm run typecheck` reads no package of a project that has a lock file of its own', () => {
  const files = execFileSync(process.execPath, [TSC, '--listFilesOnly'], { cwd: ROOT, encoding: 'utf8' });
  expect(files).toContain(join(ROOT, 'test/architecture/lock-file.test.ts'));
  expect(files.split('\n').filter((file) => /\/test\/.*\/node_modules\//.test(file))).toEqual([]);
});
