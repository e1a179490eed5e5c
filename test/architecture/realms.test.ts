/** Jest, and Vitest's pools with `vm`, give a test its own `Error`. Errors of `fs` and `fetch` are of another realm. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, sourcesOf } from './sources.js';

/** The packages that partners install, and run in tests of their own. */
const OF_PARTNERS = ['certify', 'client', 'webhook-verifier'];

const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');

test.each(OF_PARTNERS)('%s uses instanceof only with classes that it declares', (name) => {
  const texts = sourcesOf(name).map(textOf);
  const declared = new Set(
    texts.flatMap((text) => [...text.matchAll(/\bclass (\w+)/g)].map(([, one]) => one)),
  );
  const used = texts.flatMap((text) => [...text.matchAll(/\binstanceof (\w+)/g)].map(([, one]) => one));
  expect(used.filter((one) => !declared.has(one))).toEqual([]);
});
