import { type Storage, WINDOW_MS } from '@partner-hiring/core/ports';

/** The longest time that a test needs to count up to a limit. */
const ENOUGH_MS = 10_000;

/** Waits for the next rate window if the current one is about to end. */
export async function freshWindow<HostTx>(storage: Storage<HostTx>): Promise<void> {
  const [window] = await storage.direct.rateWindows.read(['none']);
  if (window === undefined) throw new Error('The storage must return a rate window.');
  const left = window.windowStart + WINDOW_MS - window.countedAt;
  if (left < ENOUGH_MS) await new Promise((resolve) => setTimeout(resolve, left + 1));
}

/** Longer than Vitest's default: a test may wait for a rate window, and a database may open slowly. */
export const TEST_TIMEOUT_MS = 60_000;
