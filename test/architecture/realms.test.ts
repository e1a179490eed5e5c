/** Jest, and Vitest's pools with `vm`, give a test its own `Error`. Errors of `fs` and `fetch` are of another realm. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, sourcesOf } from './sources.js';

const NAMES = readdirSync(join(ROOT, 'packages')).filter((name) =>
  existsSync(join(ROOT, 'packages', name, 'src')),
);

/** Classes of others. Their values cannot come from another realm, or another check follows. */
const ALLOWED: Readonly<Record<string, string>> = {
  'cli/src/command/did-you-mean.ts CommanderError': 'the command is a process of its own',
  'cli/src/command/parse-command-line.ts CommanderError': 'the command is a process of its own',
  'core/src/defaults/prometheus-telemetry.ts Counter': 'the host passes the class with its registry',
  'core/src/defaults/prometheus-telemetry.ts Histogram': 'the host passes the class with its registry',
  'core/src/domain/any-realm.ts Error': 'only the first of two checks',
  'core/src/operator/command/command-field.ts z': 'Zod knows the classes of its copies',
  'core/src/process/closing-server.ts Server': 'all realms share the modules of Node',
  'storage-kysely/src/is-error.ts Error': 'only the first of two checks',
};

const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const wordsIn = (file: string, pattern: RegExp): readonly string[] =>
  [...textOf(file).matchAll(pattern)].map(([, word = '']) => word);

/** `storage-kysely` is bundled into the storages, so its classes have one copy in each. */
const OF_ALL: readonly string[] = [
  ...wordsIn('packages/core/src/errors.ts', /^knowInEveryCopy\((\w+)/gm),
  ...sourcesOf('storage-kysely').flatMap((file) => wordsIn(file, /\bclass (\w+)/g)),
];

function foreignIn(name: string): readonly string[] {
  const files = sourcesOf(name);
  const own = new Set([...OF_ALL, ...files.flatMap((file) => wordsIn(file, /\bclass (\w+)/g))]);
  return files.flatMap((file) =>
    [...new Set(wordsIn(file, /\binstanceof (\w+)/g))]
      .filter((word) => !own.has(word))
      .map((word) => `${file.replace('packages/', '')} ${word}`),
  );
}

test.each(NAMES)('%s uses instanceof only with classes that this repository declares', (name) => {
  expect(foreignIn(name).filter((found) => !(found in ALLOWED))).toEqual([]);
});

test('each exception of that rule is used', () => {
  expect(NAMES.flatMap(foreignIn).sort()).toEqual(Object.keys(ALLOWED).sort());
});
