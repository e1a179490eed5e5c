import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { homedir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { build } from 'esbuild';
import { satisfies } from 'semver';
import { optionalPeers, readManifest, root } from './manifest.js';
import { run } from './run.js';

/** The checked parts of a CycloneDX SBOM. */
export interface Sbom {
  readonly components: readonly SbomComponent[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

interface SbomComponent {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly hashes?: readonly object[];
  readonly licenses?: readonly object[];
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}

/** npm's own SBOM of the lock file. */
export async function readNpmSbom(): Promise<Sbom> {
  const options = ['--package-lock-only', '--offline', '--sbom-format', 'cyclonedx'];
  return JSON.parse(await run(root, 'npm', 'sbom', ...options)) as Sbom;
}

/**
 * Checks the SBOM in a tarball. It must name exactly the imports, dependencies and bundled packages, agree with npm, and
 * be reproducible.
 */
export async function checkSbom(folder: string, tarball: string, ofNpm: Sbom): Promise<void> {
  const text = await run(root, 'tar', '-xzOf', tarball, 'package/sbom.cdx.json');
  const sbom = JSON.parse(text) as Sbom;
  const found = [
    ...privateWordsIn(text),
    ...wronglyNamed(sbom, folder),
    ...(await importsNotNamed(sbom, folder)),
    ...notAsNpmSays(sbom, ofNpm),
    ...((await madeAgain(folder)) === text ? [] : ['it is another one when it is made again']),
  ];
  if (found.length > 0) throw new Error(`The SBOM in ${tarball} is wrong:\n  ${found.join('\n  ')}`);
}

/** Finds machine paths and registry URLs. Only the schema's URL is allowed. */
function privateWordsIn(text: string): readonly string[] {
  const hosts = [...text.matchAll(/\w+:\/\/([\w.:-]+)/g)].map(([, host]) => String(host));
  const words = [root, homedir()].filter((word) => text.includes(word));
  return [...words, ...hosts.filter((host) => host !== 'cyclonedx.org')].map((word) => `it says ${word}`);
}

function wronglyNamed(sbom: Sbom, folder: string): readonly string[] {
  const manifest = readManifest(folder);
  const { name, version, dependencies, peerDependencies } = manifest;
  const ranges: Record<string, string> = { ...dependencies, ...peerDependencies };
  for (const peer of optionalPeers(manifest)) delete ranges[peer];
  const bundled = bundledInto(folder);
  const direct = componentsOf(sbom, `${name}@${version}`);
  const named = direct.map((component) => component.name);
  return [
    ...[...Object.keys(ranges), ...bundled]
      .filter((wanted) => !named.includes(wanted))
      .map((wanted) => `it lacks ${wanted}`),
    ...named
      .filter((other) => !(other in ranges) && !bundled.includes(other))
      .map((other) => `${other} is not used`),
    ...direct
      .filter((component) => isBundled(component) !== bundled.includes(component.name))
      .map((component) => `it does not say rightly whether ${component.name} is bundled`),
    ...direct
      .filter((component) => !satisfies(component.version, ranges[component.name] ?? '*'))
      .map((component) => `${component['bom-ref']} is not in the range of the manifest`),
  ];
}

function isBundled({ properties = [] }: SbomComponent): boolean {
  return properties.some(({ name }) => name === 'cdx:npm:package:bundled');
}

function componentsOf(sbom: Sbom, ref: string): readonly SbomComponent[] {
  const dependsOn = sbom.dependencies.find((each) => each.ref === ref)?.dependsOn ?? [];
  return dependsOn.flatMap((each) => sbom.components.filter((component) => component['bom-ref'] === each));
}

/** esbuild adds a comment with the path above each file's code. */
export function bundledInto(folder: string): readonly string[] {
  const comments = programsOf(folder).flatMap((file) => [
    ...readFileSync(file, 'utf8').matchAll(/\/\/ (\.\.\/\S+)$/gm),
  ]);
  const files = comments.map(([, path]) => relative(root, resolve(folder, String(path))));
  const folders = files.map(
    (file) => /^(packages\/[^/]+|.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1],
  );
  return [...new Set(folders)].map((place) => readManifest(join(root, String(place))).name);
}

/** Returns imported packages that the SBOM does not name as direct dependencies. */
async function importsNotNamed(sbom: Sbom, folder: string): Promise<readonly string[]> {
  const manifest = readManifest(folder);
  const { name, version } = manifest;
  const { metafile } = await build({
    // Numbered, because `index.js` and `index.cjs` would have the same output.
    entryPoints: Object.fromEntries(programsOf(folder).map((file, index) => [index, file])),
    outdir: join(folder, 'dist'),
    bundle: true,
    packages: 'external',
    // Ignores the paths of tsconfig.json, which lead to the sources.
    tsconfigRaw: '{}',
    platform: 'node',
    write: false,
    metafile: true,
    logLevel: 'error',
  });
  const imported = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  const packages = imported
    .filter((path) => !isBuiltin(path))
    .map((path) => /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path);
  const named = new Set([
    name,
    ...optionalPeers(manifest),
    ...componentsOf(sbom, `${name}@${version}`).map((component) => component.name),
  ]);
  return [...new Set(packages)]
    .filter((each) => !named.has(each))
    .map((each) => `it lacks ${each}, which is imported`);
}

function programsOf(folder: string): readonly string[] {
  const dist = join(folder, 'dist');
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => /\.c?js$/.test(file)).map((file) => join(dist, file));
}

function notAsNpmSays(sbom: Sbom, ofNpm: Sbom): readonly string[] {
  const known = new Map(ofNpm.components.map((component) => [component['bom-ref'], component]));
  const facts = ({ purl, hashes, licenses }: SbomComponent) => JSON.stringify({ purl, hashes, licenses });
  const strange = sbom.components.filter((component) => {
    const npms = known.get(component['bom-ref']);
    return npms === undefined || facts(npms) !== facts(component);
  });
  return strange.map((component) => `npm says something else of ${component['bom-ref']}`);
}

async function madeAgain(folder: string): Promise<string> {
  await run(folder, process.execPath, join(root, 'test/tools/packages/prepack.mjs'));
  return readFileSync(join(folder, 'sbom.cdx.json'), 'utf8');
}
