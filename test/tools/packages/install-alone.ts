import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.js';
import { type Packed, startScopeRegistry } from './scope-registry.js';

/** The versions of npm that come with the supported versions of Node. */
const NPM_VERSIONS = ['10', '11'] as const;

/** Resolves the whole tree, which is where npm warns, and downloads almost nothing. */
const OPTIONS = ['--package-lock-only', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];

/** What npm says about packages that others made, or about this machine, in either case without a fix here. */
const NOT_OURS = /^npm warn (?:EBADENGINE|Unknown (?:user|env|project) config)/i;

interface Npm {
  readonly version: string;
  readonly program: string;
}

interface Installed {
  readonly isInstalled: boolean;
  /** Warnings, and errors if the install failed. */
  readonly lines: readonly string[];
}

/**
 * Installs each package alone in an empty folder, where npm adds its peer dependencies, with each version of npm.
 * @throws Error with what npm printed if it warns, for example of `ERESOLVE`, or fails
 */
export async function checkInstalledAlone(scratch: string, packed: readonly Packed[]): Promise<void> {
  const registry = await startScopeRegistry(packed);
  try {
    for (const version of NPM_VERSIONS) {
      const npm = await installNpm(scratch, version);
      for (const { manifest } of packed) {
        const { isInstalled, lines } = await install(scratch, npm, registry.url, manifest.name);
        if (lines.length === 0) continue;
        const others = Object.keys(manifest.peerDependencies ?? {}).filter(
          (name) => !name.startsWith('@partner-hiring/'),
        );
        if (isInstalled || (await install(scratch, npm, registry.url, ...others)).isInstalled) {
          throw new Error(`npm ${version} install ${manifest.name}:\n${lines.join('\n')}`);
        }
        console.log(
          `--  npm ${version} cannot install ${others.join(', ')}, so it cannot install ${manifest.name}`,
        );
      }
      console.log(`ok  npm ${version} installs each package alone without warnings`);
    }
  } finally {
    registry.close();
  }
}

async function installNpm(scratch: string, version: string): Promise<Npm> {
  const folder = join(scratch, `npm-${version}`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  await run(folder, 'npm', 'install', '--silent', '--prefer-offline', '--no-audit', `npm@${version}`);
  return { version, program: join(folder, 'node_modules/npm/bin/npm-cli.js') };
}

async function install(
  scratch: string,
  { version, program }: Npm,
  registry: string,
  ...names: readonly string[]
): Promise<Installed> {
  const folder = join(scratch, `alone-${version}-${names.join('-').replaceAll(/[^\w-]/g, '-')}`);
  mkdirSync(folder);
  writeFileSync(join(folder, '.npmrc'), `@partner-hiring:registry=${registry}\n`);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const linesOf = (printed: string) =>
    printed.split('\n').filter((line) => /^npm (?:warn|error)/i.test(line) && !NOT_OURS.test(line));
  // `run` returns only stdout, and npm warns on stderr.
  return run(folder, 'sh', '-c', 'node "$0" install "$@" 2>&1', program, ...OPTIONS, ...names).then(
    (printed) => ({ isInstalled: true, lines: linesOf(printed) }),
    (error: Error) => ({ isInstalled: false, lines: linesOf(error.message) }),
  );
}
