/** The real timers, even if the test replaces the global ones later. */
const onImmediate = setImmediate;
const onTimeout = setTimeout;

/** Functions that return whether real work, such as a database call, is still running. */
const busy = new Set<() => boolean>();

/** Makes `settle` wait while `isBusy` returns true. Returns a function that removes `isBusy` again. */
export function whileBusy(isBusy: () => boolean): () => void {
  busy.add(isBusy);
  return () => void busy.delete(isBusy);
}

/** Waits until all work without timers, and all database calls, have finished. */
export async function settle(turns = 5): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) {
    await new Promise<void>((resolve) => onImmediate(resolve));
    if (![...busy].some((isBusy) => isBusy())) continue;
    turn = -1;
    await pause(1);
  }
}

/** Waits in real time. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => onTimeout(resolve, ms));
}
