import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LICENSES_FILE } from '../build/collect-licenses.js';
import { bundledInto } from './check-sbom.js';
import { readManifest, root } from './manifest.js';
import { run } from './run.js';

/**
 * Checks that a tarball contains the licence of each package of others whose code or style it contains.
 * @throws Error with the names of the packages whose licence is missing.
 */
export async function checkLicenses(folder: string, tarball: string): Promise<void> {
  const contained = bundledInto(folder).filter((name) => !name.startsWith('@partner-hiring/'));
  if (readManifest(folder).name === '@partner-hiring/console') contained.push('@picocss/pico');
  const files = (await run(root, 'tar', '-tzf', tarball)).split('\n');
  const file = `package/${LICENSES_FILE}`;
  const text = files.includes(file) ? await run(root, 'tar', '-xzOf', tarball, file) : '';
  const missing = contained.filter((name) => !licenseTextsOf(name).some((each) => text.includes(each)));
  if (missing.length > 0) throw new Error(`${tarball} lacks the licences of: ${missing.join(', ')}.`);
}

function licenseTextsOf(name: string): readonly string[] {
  const folder = join(root, 'node_modules', name);
  const files = readdirSync(folder).filter((each) => /^licen[cs]e/i.test(each));
  return files.map((each) => readFileSync(join(folder, each), 'utf8').trim());
}
