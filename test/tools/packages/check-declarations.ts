import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { type Manifest, readManifest } from './manifest.js';

/** Zod's types would make every update of Zod a change of the public API. */
const NEVER = ['zod'];

/**
 * Checks that the declarations of a built package import only what its users have: Node, the package's dependencies and
 * peers, and its own files. Private packages and zod are not allowed.
 * @throws Error with the files and their imports.
 */
export function checkDeclarations(folder: string): void {
  const manifest = readManifest(folder);
  const dist = join(folder, 'dist');
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.d\.c?ts$/.test(name),
  );
  if (files.length === 0) throw new Error(`${manifest.name} has no declarations.`);
  const found = files.flatMap((file) =>
    foreignImports(readFileSync(join(dist, file), 'utf8'), manifest).map((id) => `${file} imports ${id}`),
  );
  if (found.length > 0) throw new Error(`The declarations of ${manifest.name}:\n  ${found.join('\n  ')}`);
}

/** Returns the modules that a declaration file imports and that a user of the package may not have. */
export function foreignImports(
  text: string,
  { dependencies, peerDependencies }: Manifest,
): readonly string[] {
  const known = Object.keys({ ...dependencies, ...peerDependencies }).flatMap((name) => [
    name,
    name.replace(/^@types\//, ''),
  ]);
  const allowed = known.filter((name) => !NEVER.includes(name));
  const code = text.replaceAll(/\/\*.*?\*\//gs, '');
  const imported = [...code.matchAll(/(?:\bfrom |\bimport ?\(|^import )(['"])([^'"]+)\1/gm)].map(
    ([, , id = '']) => id,
  );
  return [...new Set(imported)].filter(
    (id) =>
      !id.startsWith('.') &&
      !isBuiltin(id) &&
      !allowed.some((name) => id === name || id.startsWith(`${name}/`)),
  );
}
