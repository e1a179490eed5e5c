/** `docs/adapters.md` runs the suites from a clone, on an adapter that lies outside. */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { type Fence, fencesOf } from '../docs/fences.js';

/** All tests of a storage, in a process of its own. */
const SLOW = { timeout: 600_000 };

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Lays a copy of the SQLite adapter beside the repository, with the libraries that it would have installed. */
function copyAdapter(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'partner-hiring-adapter-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(ROOT, 'packages/sqlite'), folder, {
    recursive: true,
    filter: (path) => !path.endsWith('.test.ts') && !/node_modules|dist$/.test(path.slice(ROOT.length)),
  });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

test(
  'a copy of the SQLite adapter outside the repository passes, by the commands of the page',
  SLOW,
  async () => {
    const folder = copyAdapter();
    const opened = readFileSync(join(ROOT, 'test/conformance/open-sqlite.ts'), 'utf8')
      .replace('@partner-hiring/sqlite', './src/index.js')
      .replace('openSqlite', 'openStorage');
    writeFileSync(join(folder, 'open-storage.ts'), opened);
    writeFileSync(
      join(folder, 'my-storage.test.ts'),
      fence((each) => each.fileName === 'my-storage.test.ts'),
    );

    const commands = fence(({ kind }) => kind === 'sh');
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    expect(commands).toContain(`--branch v${version} `);
    const command = commands.trim().split('\n').at(-1)?.replace('../my-adapter', folder) ?? '';
    const { stdout } = await promisify(execFile)('bash', ['-c', command], {
      cwd: ROOT,
      env: { ...process.env, NO_COLOR: '1', TESTS: 'all' },
    });
    expect(stdout).toMatch(/Tests +\d{3} passed/);
  },
);

function fence(isAsked: (fence: Fence) => boolean): string {
  return fencesOf('docs/adapters.md').find(isAsked)?.text ?? '';
}
