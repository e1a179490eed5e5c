import { WINDOW_MS } from '@partner-hiring/core';
import type { Storage } from '@partner-hiring/core/ports';

/** What counting up to a limit may take. */
const ENOUGH_MS = 10_000;

/** Waits, if the storage's rate windows are about to end, so that they do not end in the midst of a count. */
export async function freshWindow<HostTx>(storage: Storage<HostTx>): Promise<void> {
  const [window] = await storage.direct.rateWindows.read(['none']);
  if (window === undefined) throw new Error('The storage told of no window.');
  const left = window.windowStart + WINDOW_MS - window.countedAt;
  if (left < ENOUGH_MS) await new Promise((resolve) => setTimeout(resolve, left + 1));
}
