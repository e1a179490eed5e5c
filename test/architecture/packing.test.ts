/** What npm packs of each published package: nothing that was not built, and the licence and an SBOM with it. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { temporaryFolder } from '@partner-hiring/test-support/temporary-folder';
import { expect, test } from 'vitest';
import { BUNDLED } from '../../tsup.config.js';
import { collectLicenses, LICENSES_FILE } from '../tools/build/collect-licenses.js';
import { publishedPackages, readManifest, root } from '../tools/packages/manifest.js';

const MANIFEST = {
  name: '@partner-hiring/made-up',
  version: '1.2.3',
  license: 'MIT',
  dependencies: { kysely: '^0.28.18' },
  peerDependencies: { '@partner-hiring/core': '0.1.0', pg: '^8.11.0' },
  peerDependenciesMeta: { pg: { optional: true } },
  main: './dist/index.cjs',
  exports: { '.': { import: { types: './dist/index.d.ts', default: './dist/index.js' } }, './x.json': null },
};
const BUILT = ['index.cjs', 'index.d.ts', 'index.js'];

/** Code of a private package of ours, and of another's, that the build has put into `index.cjs`. */
const IN_BUILD = ['packages/storage-kysely/src/storage.ts', 'node_modules/tsup/assets/cjs_shims.js'];

/** A dependency that is also in `index.cjs`, with its own dependency. */
const IN_COMMONJS = ['node_modules/p-retry/index.js', 'node_modules/is-network-error/index.js'];

/** Whether a library has ES modules only, so that Jest cannot require it. */
function isModuleOnly(name: string): boolean {
  const {
    type,
    main = 'index.js',
    exports,
  } = JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')) as {
    readonly type?: string;
    readonly main?: string;
    readonly exports?: unknown;
  };
  return type === 'module' && !main.includes('cjs') && !JSON.stringify(exports ?? null).includes('"require"');
}

/** Returns the names of a package's dependencies, and of theirs. Packages of types are not run. */
function librariesOf(folder: string, found = new Set<string>()): ReadonlySet<string> {
  const names = Object.keys(readManifest(folder).dependencies ?? {});
  for (const name of names) {
    if (found.has(name) || name.startsWith('@types/') || name.startsWith('@partner-hiring/')) continue;
    found.add(name);
    librariesOf(join(root, 'node_modules', name), found);
  }
  return found;
}

/** A package with those built files. */
function createPackage(built: readonly string[], manifest: object = MANIFEST, bundled = IN_BUILD): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  mkdirSync(join(folder, 'dist'));
  for (const name of built) writeFileSync(join(folder, 'dist', name), '');
  const foreign = bundled.map((file) => relative(join(folder, 'dist'), join(root, file)));
  writeFileSync(join(folder, 'dist/index.js.map'), JSON.stringify({ sources: ['../src/index.ts'] }));
  writeFileSync(
    join(folder, 'dist/index.cjs.map'),
    JSON.stringify({ sources: ['../src/index.ts', ...foreign] }),
  );
  return folder;
}

interface Edge {
  readonly ref: string;
  readonly dependsOn: readonly string[];
}

interface Component {
  readonly 'bom-ref': string;
  readonly properties: readonly object[];
}

/** How the script ends that npm runs first, and what it says. */
function prepack(folder: string): Promise<{ readonly failed: boolean; readonly said: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(root, 'test/tools/packages/prepack.mjs')],
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

test('a build has the licences of the code of others that it contains, and of nothing else', async () => {
  const folder = createPackage(BUILT, MANIFEST, [...IN_BUILD, ...IN_COMMONJS]);
  await collectLicenses(folder);
  const text = readFileSync(join(folder, LICENSES_FILE), 'utf8');
  for (const name of ['tsup', 'p-retry', 'is-network-error']) {
    const { version } = readManifest(join(root, 'node_modules', name));
    expect(text).toContain(`${name} ${version} (MIT)`);
  }
  expect(text.match(/Permission is hereby granted/g)).toHaveLength(3);
  const own = createPackage(BUILT, MANIFEST, ['packages/storage-kysely/src/storage.ts']);
  await collectLicenses(own);
  expect(existsSync(join(own, LICENSES_FILE))).toBe(false);
});

const SBOM = 'sbom.cdx.json';

async function sbomOf(folder: string): Promise<string> {
  expect(await prepack(folder)).toEqual({ failed: false, said: '' });
  return readFileSync(join(folder, SBOM), 'utf8');
}

test('an SBOM names what is bundled, and what the package depends on directly and further on', async () => {
  const sbom = JSON.parse(await sbomOf(createPackage(BUILT)));
  expect(sbom).toMatchObject({
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    metadata: {
      component: { 'bom-ref': '@partner-hiring/made-up@1.2.3', licenses: [{ license: { id: 'MIT' } }] },
    },
  });
  const versionOf = (name: string) => readManifest(join(root, 'node_modules', name)).version;
  const [kysely, tsup, undici] = ['kysely', 'tsup', 'undici'].map((name) => `${name}@${versionOf(name)}`);
  const core = `@partner-hiring/core@${versionOf('@partner-hiring/core')}`;
  const queries = `@partner-hiring/storage-kysely@${versionOf('@partner-hiring/storage-kysely')}`;
  const edges = new Map(sbom.dependencies.map((edge: Edge) => [edge.ref, edge.dependsOn]));
  expect(edges.get('@partner-hiring/made-up@1.2.3')).toEqual([core, queries, kysely, tsup]);
  expect(edges.get(queries)).toEqual([core, kysely]);
  expect(edges.get(core)).toContain(undici);
  // Of a bundled library some code is in the files: what it would need as a whole is not.
  expect(edges.get(tsup)).toEqual([]);
  expect([...edges.keys()].filter((ref) => /^(rollup|pg|vitest)@/.test(String(ref)))).toEqual([]);

  const properties = new Map(
    sbom.components.map((component: Component) => [component['bom-ref'], component.properties]),
  );
  expect([properties.get(queries), properties.get(tsup)]).toEqual([
    [{ name: 'cdx:npm:package:bundled', value: 'true' }],
    [{ name: 'cdx:npm:package:bundled', value: 'true' }],
  ]);
  expect(properties.get(kysely)).toEqual([{ name: 'partner-hiring:range', value: '^0.28.18' }]);
  expect(properties.get(core)).toContainEqual({ name: 'partner-hiring:peer', value: 'true' });
  expect([...properties.keys()]).toEqual([...properties.keys()].sort());
  expect(new Set(edges.keys())).toEqual(new Set(['@partner-hiring/made-up@1.2.3', ...properties.keys()]));
});

test('an SBOM says that a dependency is also bundled, and what it depends on', async () => {
  const manifest = { ...MANIFEST, dependencies: { 'p-retry': '^7.1.1' } };
  const sbom = JSON.parse(await sbomOf(createPackage(BUILT, manifest, IN_COMMONJS)));
  const component = (name: string) =>
    sbom.components.find((each: Component) => each['bom-ref'].startsWith(`${name}@`));
  expect(component('p-retry').properties).toEqual([
    { name: 'cdx:npm:package:bundled', value: 'true' },
    { name: 'partner-hiring:range', value: '^7.1.1' },
  ]);
  const edges = new Map(sbom.dependencies.map((edge: Edge) => [edge.ref, edge.dependsOn]));
  expect(edges.get(component('p-retry')['bom-ref'])).toEqual([component('is-network-error')['bom-ref']]);
});

test('an SBOM is the same for the same files, wherever and whenever it is made, and another one for others', async () => {
  const [one, other] = [await sbomOf(createPackage(BUILT)), await sbomOf(createPackage(BUILT))];
  expect(other).toBe(one);
  const without = await sbomOf(createPackage(BUILT, MANIFEST, []));
  const serialNumberOf = (sbom: string) => JSON.parse(sbom).serialNumber;
  expect(serialNumberOf(without)).toMatch(/^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(serialNumberOf(without)).not.toBe(serialNumberOf(one));
});

test('a package whose files do not tell what was bundled into them is not packed', async () => {
  const folder = createPackage(BUILT);
  rmSync(join(folder, 'dist/index.cjs.map'));
  const { failed, said } = await prepack(folder);
  expect(failed).toBe(true);
  expect(said).toContain('index.cjs has no source map');
  const elsewhere = createPackage(BUILT, MANIFEST, ['../elsewhere/x.js']);
  expect((await prepack(elsewhere)).said).toContain('is not in a package');
});

test('a package that depends on what is not in the lock file is not packed, with the fix', async () => {
  const folder = createPackage(BUILT, { ...MANIFEST, dependencies: { 'not-there': '1' } });
  const { failed, said } = await prepack(folder);
  expect(failed).toBe(true);
  expect(said).toMatch(/package-lock.json has no not-there.*npm install/);
  expect(existsSync(join(folder, SBOM))).toBe(false);
});

test.each(BUILT)(
  'a package without a file that it names is not packed, with the fix: %s',
  async (missing) => {
    const folder = createPackage(BUILT.filter((name) => name !== missing));
    const { failed, said } = await prepack(folder);
    expect(failed).toBe(true);
    expect(said).toMatch(
      /^@partner-hiring\/made-up is not built: \.\/dist\/\S+ is missing\. .*npm run build.*\n$/,
    );
    expect(said).toContain(`./dist/${missing}`);
    expect([existsSync(join(folder, 'LICENSE')), existsSync(join(folder, SBOM))]).toEqual([false, false]);
  },
);

test.each(publishedPackages().map((folder) => [basename(folder), folder]))(
  '%s has a README that says its name, packs its SBOM, and has what refuses to pack it unbuilt',
  (_name, folder) => {
    const { name, files, scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    expect(files).toContain(SBOM);
    expect(scripts.prepack).toBe('node ../../test/tools/packages/prepack.mjs');
    expect(readFileSync(join(folder, 'README.md'), 'utf8')).toMatch(new RegExp(`^# ${name}\n`));
  },
);

test.each(publishedPackages().map((folder) => [basename(folder), folder]))(
  '%s depends on no library that its builds contain, and on none that Jest cannot require',
  (_, folder) => {
    const alone = [...librariesOf(folder)];
    expect(alone.filter((library) => BUNDLED.includes(library) || isModuleOnly(library))).toEqual([]);
  },
);
