import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SetupError } from './setup-error.js';

/**
 * Creates a temporary folder. The caller removes it.
 *
 * @throws SetupError if it cannot be created.
 */
export async function makeTemporaryFolder(prefix: string): Promise<string> {
  try {
    return await mkdtemp(join(tmpdir(), prefix));
  } catch (error) {
    const variable = process.platform === 'win32' ? 'TEMP' : 'TMPDIR';
    throw new SetupError(
      `Cannot make a temporary folder: ${String(error)}. Set ${variable} to an existing folder ` +
        'that you may write to and that has free space.',
      { cause: error },
    );
  }
}
