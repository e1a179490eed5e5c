import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Does work in a folder that is gone afterwards, also after Ctrl-C. What it throws is printed, and the process fails. */
export async function inScratch(work: (scratch: string) => Promise<void>): Promise<void> {
  // Ctrl-C reaches the command that runs as well; once that has ended, the folder is removed.
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
