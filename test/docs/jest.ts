import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { type Fence, ROOT } from './fences.js';

/** The packages that a host may install. */
const PACKAGES = ['core', 'express', 'fastify', 'sqlite', 'postgres'];

interface Manifest {
  readonly type?: string;
  readonly main?: string;
  readonly exports?: Readonly<Record<string, unknown>> | string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(`${ROOT}${folder}/package.json`, 'utf8')) as Manifest;

/** Whether the library has ES modules only. */
function isModuleAlone({ type, main = 'index.js', exports }: Manifest): boolean {
  return type === 'module' && !main.includes('cjs') && !JSON.stringify(exports ?? null).includes('"require"');
}

/** Returns the names of the dependencies of these folders, transitively. */
function libraries(folders: readonly string[], found = new Set<string>()): ReadonlySet<string> {
  for (const folder of folders) {
    const names = Object.keys(manifestOf(folder).dependencies ?? {}).filter((name) => !found.has(name));
    for (const name of names) found.add(name);
    libraries(
      names.filter((name) => !name.startsWith('@types/')).map((name) => `node_modules/${name}`),
      found,
    );
  }
  return found;
}

/** Expects the Jest configuration to transform exactly the libraries that are ES modules only. */
export function expectTransformed({ text }: Fence): void {
  const { transformIgnorePatterns } = JSON.parse(text) as { transformIgnorePatterns: [string] };
  const ignored = new RegExp(transformIgnorePatterns[0]);
  const names = [...libraries(PACKAGES.map((name) => `packages/${name}`))].filter(
    (name) => !name.startsWith('@types/'),
  );
  const alone = names.filter((name) => isModuleAlone(manifestOf(`node_modules/${name}`)));
  expect(alone).not.toEqual([]);
  // Kysely has ES modules only since 0.29.
  const transformed = new Set([...alone, 'kysely']);
  for (const name of names) {
    for (const store of ['', `/.pnpm/${name}@1.0.0/node_modules`]) {
      const path = `/host/node_modules${store}/${name}/index.js`;
      expect(ignored.test(path), path).toBe(!transformed.has(name));
    }
  }
}
