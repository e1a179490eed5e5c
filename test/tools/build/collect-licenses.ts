import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUNDLED } from '../../../tsup.config.js';
import { readManifest, root } from '../packages/manifest.js';
import { bundledPlaces } from '../packages/sbom/bundled-places.mjs';
import { notExternal } from './bundle-declarations.js';

/** The file in a build with the licences of what it contains. A build without code of others has no such file. */
export const LICENSES_FILE = 'dist/THIRD-PARTY-LICENSES.txt';

/** Writes the licences of all code of others that a build contains. @throws Error if a package has no licence. */
export async function collectLicenses(folder: string): Promise<void> {
  // Source maps name what was bundled as code. What tsup.config.ts names beside that is in the build as text.
  const code = bundledPlaces(folder, root).filter((place) => !place.startsWith('packages/'));
  const named = (await notExternal(folder)).filter((name) => !BUNDLED.includes(name) && !isOurs(name));
  const places = [...new Set([...code, ...named.map((name) => `node_modules/${name}`)])].sort();
  if (places.length === 0) return;
  const about = `${readManifest(folder).name} contains code of these projects:`;
  writeFileSync(
    join(folder, LICENSES_FILE),
    [about, ...places.map(licenseOf)].join(`\n\n${'-'.repeat(80)}\n\n`),
  );
}

function isOurs(name: string): boolean {
  return name.startsWith('@partner-hiring/');
}

function licenseOf(place: string): string {
  const folder = join(root, place);
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|notice|copying)\b/i.test(file));
  if (files.length === 0) throw new Error(`${name} has no licence: add one to what ${place} contains.`);
  const texts = files.sort().map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return [`${name} ${version} (${license})`, ...texts].join('\n\n').concat('\n');
}
