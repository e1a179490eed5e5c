import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs work in a temporary folder. Prints errors and sets the exit code. Also cleans up after Ctrl-C. */
export async function inScratch(work: (scratch: string) => Promise<void>): Promise<void> {
  // Ctrl-C also stops the running command. The folder is removed after that.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
  const scratch = await mkdtemp(join(tmpdir(), 'partner-hiring-matrix-'));
  try {
    await work(scratch);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
