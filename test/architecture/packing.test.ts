/** What npm packs of each published package: nothing that was not built, and the licence with it. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { publishedPackages, root } from '../packages/manifest.js';

const MANIFEST = {
  name: '@partner-hiring/made-up',
  main: './dist/index.cjs',
  exports: { '.': { import: { types: './dist/index.d.ts', default: './dist/index.js' } }, './x.json': null },
};
const BUILT = ['index.cjs', 'index.d.ts', 'index.js'];

/** A package with those built files. */
function createPackage(built: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'partner-hiring-packing-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'package.json'), JSON.stringify(MANIFEST));
  mkdirSync(join(folder, 'dist'));
  for (const name of built) writeFileSync(join(folder, 'dist', name), '');
  return folder;
}

/** How the script ends that npm runs first, and what it says. */
function prepack(folder: string): Promise<{ readonly failed: boolean; readonly said: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(root, 'test/packages/prepack.mjs')],
      { cwd: folder },
      (error, stdout, stderr) => resolve({ failed: error !== null, said: stdout + stderr }),
    );
  });
}

test('a package that is built is packed with the licence, and nothing is said of it', async () => {
  const folder = createPackage(BUILT);
  expect(await prepack(folder)).toEqual({ failed: false, said: '' });
  expect(readFileSync(join(folder, 'LICENSE'), 'utf8')).toBe(readFileSync(join(root, 'LICENSE'), 'utf8'));
});

test.each(BUILT)(
  'a package without a file that it names is not packed, with the fix: %s',
  async (missing) => {
    const folder = createPackage(BUILT.filter((name) => name !== missing));
    const { failed, said } = await prepack(folder);
    expect(failed).toBe(true);
    expect(said).toMatch(
      /^@partner-hiring\/made-up is not built: there is no \.\/dist\/\S+\. .*npm run build\n$/,
    );
    expect(said).toContain(`./dist/${missing}`);
    expect(existsSync(join(folder, 'LICENSE'))).toBe(false);
  },
);

test.each(publishedPackages().map((folder) => [basename(folder), folder]))(
  '%s has a README that says its name, and what refuses to pack it unbuilt',
  (_name, folder) => {
    const { name, scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    expect(scripts.prepack).toBe('node ../../test/packages/prepack.mjs');
    expect(readFileSync(join(folder, 'README.md'), 'utf8')).toMatch(new RegExp(`^# ${name}\n`));
  },
);
