import { onImmediate } from '../real-timers.js';

/** How many items to process before requests get a turn: about ten milliseconds of work. */
const BATCH = 500;

export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => onImmediate(resolve));
}

/** Reads rows until a page has fewer than `limit`. Requests get a turn between two pages. */
export async function* readInTurns<Row>(
  limit: number,
  read: (after: Row | null) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[], void> {
  for (let after: Row | null = null; ; await yieldToEventLoop()) {
    const page: readonly Row[] = await read(after);
    yield page;
    if (page.length < limit) return;
    after = page.at(-1) ?? null;
  }
}

export async function mapInBatches<Item, Result>(
  items: readonly Item[],
  make: (item: Item) => Result,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += BATCH) {
    if (start > 0) await yieldToEventLoop();
    for (const item of items.slice(start, start + BATCH)) results.push(make(item));
  }
  return results;
}

/**
 * Returns a function that waits until the next command may begin: at most two do per turn of the event loop. SQLite is
 * synchronous, so a loop of commands would otherwise block requests.
 */
export function createTurns(): () => Promise<void> | undefined {
  let turn: Promise<void> | null = null;
  return () => {
    if (turn !== null) return turn;
    turn = yieldToEventLoop().then(() => {
      turn = null;
    });
    return undefined;
  };
}
