/**
 * Prepares a release: `npm run release -- 0.2.0`. All packages get the version, and the changelog gets its heading.
 * Nothing is committed or published.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gt, valid } from 'semver';
import { releaseChangelog, releaseManifest } from './release-files.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const manifests = ['.', ...readdirSync(join(root, 'packages')).map((name) => join('packages', name))].map(
  (folder) => join(root, folder, 'package.json'),
);

function prepare(version: string | undefined): void {
  const current = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string })
    .version;
  if (version === undefined || valid(version) === null || gt(current, version)) {
    throw new Error(`Name a version that is not older than ${current}: npm run release -- ${current}`);
  }
  const changes = execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' });
  if (changes !== '') throw new Error(`Commit or stash these files first:\n${changes}`);

  const changelog = join(root, 'CHANGELOG.md');
  const today = new Date().toISOString().slice(0, 10);
  writeFileSync(changelog, releaseChangelog(readFileSync(changelog, 'utf8'), version, today));
  for (const file of manifests) writeFileSync(file, releaseManifest(readFileSync(file, 'utf8'), version));
  execFileSync('npm', ['install', '--package-lock-only', '--ignore-scripts'], {
    cwd: root,
    stdio: 'inherit',
  });
  console.log(`Review the changes, then commit them and push the tag:

  git commit -am 'Release ${version}' && git tag v${version} && git push origin main v${version}`);
}

try {
  prepare(process.argv[2]);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
