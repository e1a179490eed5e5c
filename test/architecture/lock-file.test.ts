/** What a fresh clone installs: nothing that npm warns about, and nothing that names the registry it came from. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { satisfies } from 'semver';
import { expect, test } from 'vitest';
import { ROOT } from './sources.js';

interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly link?: true;
  readonly optional?: true;
  readonly hasInstallScript?: true;
  readonly engines?: { readonly node?: string };
}

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

test('the lock file does not say from which registry a package came', () => {
  const resolved = LOCKED.filter(([, locked]) => locked.resolved !== undefined && !locked.link);
  expect(resolved.map(([path]) => path)).toEqual([]);
});
