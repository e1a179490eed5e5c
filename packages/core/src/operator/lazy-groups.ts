/**
 * Returns an object that makes each of these groups of commands when it is first used. Most callers of `as` act once, and
 * need one group.
 */
export function lazyGroups<Groups extends object>(
  names: readonly (keyof Groups & string)[],
  make: <Group extends keyof Groups & string>(group: Group) => Groups[Group],
): Groups {
  const groups = {};
  for (const name of names) {
    let made: Groups[typeof name] | undefined;
    Object.defineProperty(groups, name, {
      enumerable: true,
      get() {
        made ??= make(name);
        return made;
      },
    });
  }
  return groups as Groups;
}
