/**
 * Runs before npm packs a package: rejects a missing build, and adds the licence and the SBOM.
 */
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSbom } from './sbom/create-sbom.mjs';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));

/** Returns all files in a field of the manifest. */
function namedFiles(field) {
  if (typeof field === 'string') return field.startsWith('./') ? [field] : [];
  return field === null || typeof field !== 'object' ? [] : Object.values(field).flatMap(namedFiles);
}

const { main, types, bin, exports } = manifest;
const missing = namedFiles({ main, types, bin, exports }).find((file) => !existsSync(file));
if (missing === undefined) {
  writeFileSync('sbom.cdx.json', createSbom(process.cwd(), root));
  copyFileSync(join(root, 'LICENSE'), 'LICENSE');
} else {
  console.error(
    `${manifest.name} is not built: ${missing} is missing. Run npm run build at the root of the repository first`,
  );
  process.exitCode = 1;
}
