import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The used fields of a `package.json`. */
export interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly version: string;
  /** The conditions of each entry point, or a file that is not code. */
  readonly exports?: Readonly<Record<string, EntryConditions | string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** The declarations of an entry point: of both module formats, or of a package that has ES modules only. */
export type EntryConditions =
  | { readonly import: { readonly types: string }; readonly require: { readonly types: string } }
  | { readonly types: string };

/** Returns the names of peers that a user may leave out. */
export function optionalPeers({ peerDependenciesMeta = {} }: Manifest): readonly string[] {
  return Object.keys(peerDependenciesMeta).filter((name) => peerDependenciesMeta[name]?.optional === true);
}

export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

/** The folders of the published packages. */
export function publishedPackages(): readonly string[] {
  return readdirSync(join(root, 'packages'))
    .map((name) => join(root, 'packages', name))
    .filter((folder) => readManifest(folder).private !== true);
}
