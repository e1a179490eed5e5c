/** How many are made at a stretch: some ten milliseconds' worth of work. */
const PART = 500;

/**
 * Lets the requests that this process serves have their turn. A database that is a file answers without one, so that
 * they would wait for one step after another.
 */
export function othersTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * Maps a list that may be very long. The requests that this process serves meanwhile have their turn after
 * each part.
 */
export async function mapInParts<Item, Result>(
  items: readonly Item[],
  make: (item: Item) => Result,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += PART) {
    if (start > 0) await othersTurn();
    for (const item of items.slice(start, start + PART)) results.push(make(item));
  }
  return results;
}
