import { dirname } from 'node:path';

/**
 * The packages of a lock file by their places, such as `packages/core` or `node_modules/zod`, and what each depends on.
 *
 * @param packages - what the lock file holds under that name.
 */
export function createLockGraph(packages) {
  /** Where Node finds a package from there: in the nearest `node_modules`. */
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

  /** The places of what comes with a package, with what npm may leave out or without. */
  function dependenciesOf(place, withOptional) {
    const optional = packages[place].optionalDependencies ?? {};
    return directDependencies(packages[place])
      .filter(({ name }) => withOptional || !(name in optional))
      .map(({ name }) => find(place, name));
  }

  return {
    find,
    dependenciesOf,

    /** All places that are reached from these, themselves among them. */
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

    /** The name of the package in a place, and what the lock file says of it. */
    at: (place) => ({
      name: place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length),
      ...packages[place],
    }),
  };
}

/** What a manifest asks for. Nobody has to bring an optional peer. */
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
