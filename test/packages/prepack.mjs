/**
 * What npm runs in a package's folder before it packs it: refuses what is not built, and lays the licence beside what
 * is packed, since npm takes no file from above.
 */
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));

/** The files that a field of the manifest names, however deep. */
function namedFiles(field) {
  if (typeof field === 'string') return field.startsWith('./') ? [field] : [];
  return field === null || typeof field !== 'object' ? [] : Object.values(field).flatMap(namedFiles);
}

const { main, types, bin, exports } = manifest;
const missing = namedFiles({ main, types, bin, exports }).find((file) => !existsSync(file));
if (missing === undefined) {
  copyFileSync(fileURLToPath(new URL('../../LICENSE', import.meta.url)), 'LICENSE');
} else {
  console.error(
    `${manifest.name} is not built: there is no ${missing}. First run this at the root of the repository: npm run build`,
  );
  process.exitCode = 1;
}
