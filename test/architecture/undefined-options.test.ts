/** An option that is `undefined` keeps its default: each factory does with it what it does without it. */
import { describe, expect, it } from 'vitest';
import { OBSERVE, type Observe, type Options } from './observe-factories.js';
import { type OptionPath, optionsOfFactories } from './options-of-factories.js';
import { openPublicSurface, publishedPackages } from './published.js';

/** Functions without options that have defaults, with the reason. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['readSupport', 'it checks options and has no default'],
  ['runDoctor', 'the command line makes its input'],
  ['notSearched', 'it takes a candidate'],
  ['fromPrisma', 'it takes the transaction of a library'],
  ['fromTypeorm', 'it takes the transaction of a library'],
  ['fromPrismaSqlite', 'it takes the transaction of a library'],
  ['fromTypeormSqlite', 'it takes the transaction of a library'],
  ['temporaryPostgres', 'it takes a connection string or a pool, and has no default'],
]);

const surface = openPublicSurface();
const ENTRIES = publishedPackages().flatMap(({ entries }) => [...entries.values()]);
const FACTORIES = optionsOfFactories(ENTRIES, surface);

it('each function with optional options is observed here', () => {
  const missing = [...FACTORIES.keys()].filter((name) => !(name in OBSERVE) && !ELSEWHERE.has(name));
  expect(missing).toEqual([]);
});

describe.each([...FACTORIES].filter(([name]) => name in OBSERVE))('%s', (name, paths) => {
  const observe = OBSERVE[name] as Observe;
  const withoutOptions = once(() => observe({}));

  it.each(paths.map((path) => [path.join('.'), path] as const))(
    'keeps the default of %s',
    async (_, path) => {
      expect(await observe(undefinedAt(path))).toEqual(await withoutOptions());
    },
  );
});

function undefinedAt([first, second]: OptionPath): Options {
  return { [first]: second === undefined ? undefined : { [second]: undefined } };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
