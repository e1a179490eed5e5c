import type { Repositories } from '@partner-hiring/core/ports';
import { pause } from './follow-feed.js';
import type { Opened } from './storage-under-test.js';

/**
 * Sweeps with one storage while an older transaction of another storage is open. Returns the number of swept
 * rows.
 */
export async function sweepDuring<HostTx>(
  opened: Opened<HostTx>,
  work: (tx: Repositories) => Promise<unknown>,
  sweep: (direct: Repositories) => Promise<number>,
): Promise<number> {
  const other = await opened.another();
  const swept: Promise<number>[] = [];
  await opened.storage.transaction(async (tx) => {
    await work(tx);
    swept.push(sweep(other.direct));
    await pause(50);
  });
  return (await swept[0]) ?? Number.NaN;
}
