import { compare, minVersion } from 'semver';
import type { Manifest } from './manifest.js';

/**
 * Returns the oldest version of each peer and dependency that all packages accept.
 */
export function oldestLibraries(manifests: readonly Manifest[]): ReadonlyMap<string, string> {
  const ours = new Set(manifests.map(({ name }) => name));
  const oldest = new Map<string, string>();
  for (const { dependencies, peerDependencies } of manifests) {
    for (const [name, range] of Object.entries({ ...dependencies, ...peerDependencies })) {
      if (!ours.has(name)) oldest.set(name, later(oldest.get(name), oldestOf(name, range)));
    }
  }
  return oldest;
}

function oldestOf(name: string, range: string): string {
  const version = minVersion(range);
  if (version === null) throw new Error(`No version of ${name} fits ${range}.`);
  return version.version;
}

function later(one: string | undefined, another: string): string {
  return one !== undefined && compare(one, another) > 0 ? one : another;
}
