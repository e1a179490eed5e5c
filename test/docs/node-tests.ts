import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Fence, ROOT } from './fences.js';
import type { Page } from './tell.js';

/** Runs fences that declare tests of `node:test`. Returns how many passed. @throws Error if one fails. */
export async function runNodeTests(
  { folder }: Page,
  fences: readonly Fence[],
  env: Readonly<Record<string, string>> = {},
): Promise<number> {
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ extends: `${ROOT}tsconfig.json` }));
  const files = fences.map(({ fileName }) => join(folder, fileName ?? ''));
  const args = ['--import', 'tsx', '--test', '--test-reporter=tap', ...files];
  const options = { cwd: folder, env: { ...process.env, ...env } };
  const { stdout } = await promisify(execFile)(process.execPath, args, options);
  return Number(/^# pass (\d+)$/m.exec(stdout)?.[1]);
}
