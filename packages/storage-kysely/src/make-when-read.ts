/** Returns an object with the names of another one. Each value is made from the other one's when it is first read. */
export function makeWhenRead<Names extends string, From, To>(
  from: Readonly<Record<Names, From>>,
  make: (value: From) => To,
): Readonly<Record<Names, To>> {
  const made: Partial<Record<Names, To>> = {};
  const read = (name: Names) => {
    made[name] ??= make(from[name]);
    return made[name];
  };
  // A proxy costs the same for any number of names. Unlike a prototype, it can be spread. All proxies of `from` share
  // it, so a value that is set on one of them is kept in `made`.
  return new Proxy<object>(from, {
    get: (_from, name) => (isOwn(from, name) ? read(name) : Reflect.get(from, name)),
    getOwnPropertyDescriptor: (_from, name) =>
      isOwn(from, name)
        ? { value: read(name), writable: true, enumerable: true, configurable: true }
        : undefined,
    defineProperty(_from, name, { value }) {
      if (!isOwn(from, name) || value === undefined) return false;
      made[name] = value;
      return true;
    },
  }) as Readonly<Record<Names, To>>;
}

function isOwn<Names extends string>(
  from: Readonly<Record<Names, unknown>>,
  name: string | symbol,
): name is Names {
  return Object.hasOwn(from, name);
}
