import { join } from 'node:path';
import { run } from './run.js';

/** Packs a built package and returns the path of its tarball. */
export async function pack(folder: string, destination: string): Promise<string> {
  const [packed] = JSON.parse(
    await run(folder, 'npm', 'pack', '--json', '--silent', '--pack-destination', destination),
  ) as [{ filename: string; files: readonly { path: string }[] }];
  checkContents(
    packed.filename,
    packed.files.map(({ path }) => path),
  );
  return join(destination, packed.filename);
}

/** Checks that the tarball has README, licence and build. */
function checkContents(tarball: string, paths: readonly string[]): void {
  for (const wanted of ['README.md', 'LICENSE', 'sbom.cdx.json', 'dist/']) {
    if (paths.some((path) => path.startsWith(wanted))) continue;
    throw new Error(`${tarball} has no ${wanted}`);
  }
}
