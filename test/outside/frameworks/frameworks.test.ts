/** API, console and portal in every framework and version, from packed tarballs: `npm run test:frameworks`. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { satisfies } from 'semver';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { installPacked, packPackages } from '../run-outside.js';
import { checkHost } from './check-host.js';
import { FRAMEWORKS, type Framework } from './frameworks.js';
import { HOSTS, programOf, SEED } from './host-programs.js';

const COMMON = ['core', 'sqlite', 'console'];

const scratch = mkdtempSync(join(tmpdir(), 'partner-hiring-frameworks-'));
const tarballs = join(scratch, 'tarballs');

beforeAll(async () => {
  mkdirSync(tarballs);
  await packPackages([...new Set([...COMMON, ...FRAMEWORKS.flatMap(({ packages }) => packages)])], tarballs);
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Creates a project with the framework and our tarballs. Returns its folder. */
async function createProjectOf({ name, program, packages, dependencies }: Framework): Promise<string> {
  const folder = join(scratch, name.toLowerCase().replaceAll(/\W+/g, '-'));
  mkdirSync(folder);
  const manifest = { private: true, type: 'module', partnerHiring: [...COMMON, ...packages], dependencies };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const source = join(folder, 'src');
  cpSync(HOSTS, source, { recursive: true });
  cpSync(SEED, join(source, 'seed.ts'));
  const file = 'partner-hiring.ts';
  writeFileSync(join(source, file), programOf('docs/quick-start-host.md', file));
  // `servers.test.ts` checks the types of all hosts.
  await build({
    entryPoints: ['let-in', program].map((entry) => join(source, `${entry}.ts`)),
    outdir: join(folder, 'dist'),
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
  });
  await installPacked(folder, tarballs);
  return folder;
}

const BY_NAME = FRAMEWORKS.map((framework) => [framework.name, framework] as const);

it.each(BY_NAME)('%s serves API, console and portal beside its own routes', async (_, framework) => {
  const folder = await createProjectOf(framework);
  for (const [name, range] of Object.entries(framework.dependencies)) {
    const manifest = readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8');
    const { version } = JSON.parse(manifest) as { version: string };
    console.log(`${framework.name}: ${name} ${version}`);
    expect(satisfies(version, range)).toBe(true);
  }
  await checkHost(folder, framework);
  rmSync(folder, { recursive: true });
});
