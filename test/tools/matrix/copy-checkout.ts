import { existsSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand } from './run-command.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Copies the tracked files in their current state. */
export async function copyCheckout(destination: string): Promise<string> {
  const listed = await runCommand(ROOT, process.env, 'git', ['ls-files', '-z'], 'read');
  for (const file of listed.split('\0')) {
    const from = join(ROOT, file);
    if (file !== '' && existsSync(from)) await cp(from, join(destination, file));
  }
  return destination;
}
