/**
 * Returns an object that makes a group of commands when the group is first used. Most callers of `as` call one command,
 * and need one group.
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
