/** Runs the suite on Node, on each published build. */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { PACKAGE } from './build-package.js';
import type { Subject } from './suite/subject.js';
import { listTests } from './suite/suite.js';
import { VECTORS_FILE } from './vectors/vectors-file.js';

const require = createRequire(import.meta.url);
const vectors: Subject['vectors'] = JSON.parse(readFileSync(VECTORS_FILE, 'utf8'));

describe.each(['dist/node', 'dist/portable'])('%s', (folder) => {
  describe.each(['js', 'cjs'])('index.%s', async (extension) => {
    const load = async (entry: string) => {
      const file = join(PACKAGE, folder, `${entry}.${extension}`);
      return extension === 'cjs' ? require(file) : import(pathToFileURL(file).href);
    };
    const subject = { verifier: await load('index'), fetchEntry: await load('fetch/index'), vectors };
    test.each(listTests(subject))('$name', ({ run }) => run());
  });
});

test('Node resolves the package name to its own build, as ESM and CommonJS', async () => {
  const own = join(PACKAGE, 'dist/node');
  const esm = await import('@partner-hiring/webhook-verifier');
  expect(esm.verifyWebhook).toBe((await import(pathToFileURL(join(own, 'index.js')).href)).verifyWebhook);
  expect(require.resolve('@partner-hiring/webhook-verifier')).toBe(join(own, 'index.cjs'));
  expect(require.resolve('@partner-hiring/webhook-verifier/vectors.json')).toBe(VECTORS_FILE);
});

test.each([
  ['node', true],
  ['portable', false],
])('the build %s uses the hashes of Node: %s', (folder, expected) => {
  const files = readdirSync(join(PACKAGE, 'dist', folder)).filter((file) => /\.c?js$/.test(file));
  const texts = files.map((file) => readFileSync(join(PACKAGE, 'dist', folder, file), 'utf8'));
  expect(texts.some((text) => text.includes('getBuiltinModule'))).toBe(expected);
});
