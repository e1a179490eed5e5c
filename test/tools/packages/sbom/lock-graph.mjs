import { dirname } from 'node:path';

/**
 * The packages of a lock file by folder, such as `packages/core` or `node_modules/zod`, and their dependencies.
 *
 * @param packages - `packages` of the lock file.
 */
export function createLockGraph(packages) {
  /** Resolves a package like Node: in the nearest `node_modules`. */
  function find(from, name) {
    for (let folder = from; ; folder = dirname(folder)) {
      const isRoot = folder === '' || folder === '.';
      const place = isRoot ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
      const found = packages[place];
      if (found !== undefined) return found.link ? found.resolved : place;
      if (isRoot) break;
    }
    throw new Error(
      `package-lock.json has no ${name}, a dependency of ${from}. Update it first: npm install`,
    );
  }

  /** Returns the folders of a package's dependencies, with or without optional ones. */
  function dependenciesOf(place, withOptional) {
    const optional = packages[place].optionalDependencies ?? {};
    return directDependencies(packages[place])
      .filter(({ name }) => withOptional || !(name in optional))
      .map(({ name }) => find(place, name));
  }

  return {
    find,
    dependenciesOf,

    /** Returns all folders reachable from these, including these. */
    reach(places, withOptional) {
      const reached = new Set();
      const left = [...places];
      for (let place = left.pop(); place !== undefined; place = left.pop()) {
        if (reached.has(place)) continue;
        reached.add(place);
        left.push(...dependenciesOf(place, withOptional));
      }
      return reached;
    },

    /** Returns the name and lock entry of a folder. */
    at: (place) => ({
      name: place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length),
      ...packages[place],
    }),
  };
}

/** Returns the dependencies of a manifest without optional peers. */
export function directDependencies(manifest) {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = manifest;
  const own = Object.entries({ ...dependencies, ...optionalDependencies });
  const peers = Object.entries(peerDependencies ?? {}).filter(
    ([name]) => !peerDependenciesMeta?.[name]?.optional,
  );
  return [
    ...own.map(([name, range]) => ({ name, range, isPeer: false })),
    ...peers.map(([name, range]) => ({ name, range, isPeer: true })),
  ];
}
