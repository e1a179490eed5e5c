import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { bundledPlaces } from './bundled-places.mjs';
import { createLockGraph, directDependencies } from './lock-graph.mjs';

/**
 * Creates the CycloneDX SBOM of a built package: bundled code and dependencies with the versions of the lock file.
 * Reproducible and offline.
 *
 * `npm sbom` does not know bundled code, and adds the folder's name, the time and a random number.
 *
 * @param root - the folder of `package-lock.json`.
 * @throws Error if the lock file lacks a dependency, or a source map is incomplete.
 */
export function createSbom(folder, root) {
  const manifest = readJson(join(folder, 'package.json'));
  const graph = createLockGraph(readJson(join(root, 'package-lock.json')).packages);
  const from = relative(root, folder).split(sep).join('/');
  const refOf = (place) => refOfPackage(graph.at(place));

  const direct = new Map(directDependencies(manifest).map((asked) => [graph.find(from, asked.name), asked]));
  const bundled = bundledPlaces(folder, root);
  // A bundled third-party library has only some code in the files. Our own packages include their imports.
  const ownBundled = bundled.filter((place) => place.startsWith('packages/'));
  // Of the frameworks that a bundled adapter is for, its code only uses the types.
  const dependenciesOf = (place) => {
    const peers = ownBundled.includes(place) ? Object.keys(graph.at(place).peerDependencies ?? {}) : [];
    const isUsed = (used) => direct.has(used) || !peers.includes(graph.at(used).name);
    return graph.dependenciesOf(place, true).filter(isUsed);
  };
  const starts = [...direct.keys(), ...ownBundled.flatMap(dependenciesOf)];
  const required = graph.reach(starts, false);
  const places = [...new Set([...bundled, ...direct.keys(), ...graph.reach(starts, true)])];

  const components = places.map((place) => ({
    ...describe(graph.at(place)),
    scope: bundled.includes(place) || required.has(place) ? 'required' : 'optional',
    properties: [
      ...(bundled.includes(place) ? [property('cdx:npm:package:bundled', 'true')] : []),
      ...propertiesOfDirect(direct.get(place)),
    ],
  }));
  const edges = places.map((place) => {
    const isOnlyCode = bundled.includes(place) && !ownBundled.includes(place) && !direct.has(place);
    return { ref: refOf(place), dependsOn: isOnlyCode ? [] : dependenciesOf(place).map(refOf) };
  });
  const own = { ref: refOfPackage(manifest), dependsOn: [...bundled, ...direct.keys()].map(refOf) };

  return withSerialNumber({
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { lifecycles: [{ phase: 'build' }], component: describe(manifest) },
    components: ordered(components, (component) => component['bom-ref']),
    dependencies: ordered([own, ...edges], ({ ref }) => ref).map(({ ref, dependsOn }) => ({
      ref,
      dependsOn: [...new Set(dependsOn)].sort(),
    })),
  });
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function refOfPackage({ name, version }) {
  return `${name}@${version}`;
}

function describe({ name, version, license, integrity }) {
  return {
    'bom-ref': refOfPackage({ name, version }),
    type: 'library',
    name,
    version,
    ...(license === undefined ? {} : { licenses: [licenseOf(license)] }),
    ...(integrity === undefined ? {} : { hashes: integrity.split(' ').map(hashOf) }),
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
  };
}

/** An SPDX license id or expression. */
function licenseOf(license) {
  return /[\s()]/.test(license) ? { expression: license } : { license: { id: license } };
}

/** Converts `sha512-<base64>` of the lock file to SHA-512 in hex. */
function hashOf(integrity) {
  const [algorithm, digest] = integrity.split(/-(.*)/);
  return { alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(digest, 'base64').toString('hex') };
}

function propertiesOfDirect(asked) {
  if (asked === undefined) return [];
  const range = property('partner-hiring:range', asked.range);
  return asked.isPeer ? [range, property('partner-hiring:peer', 'true')] : [range];
}

function property(name, value) {
  return { name, value };
}

/** Sorts by name, and keeps the first of equal names. */
function ordered(items, nameOf) {
  const byName = new Map(items.toReversed().map((item) => [nameOf(item), item]));
  return [...byName].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, item]) => item);
}

/** Derives a UUID (version 8) from the content, so that the SBOM is reproducible. */
function withSerialNumber(bom) {
  const hash = createHash('sha256').update(JSON.stringify(bom)).digest('hex');
  const uuid = hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
  const { $schema, bomFormat, specVersion, ...rest } = bom;
  return `${JSON.stringify({ $schema, bomFormat, specVersion, serialNumber: `urn:uuid:${uuid}`, ...rest }, null, 2)}\n`;
}
