/** More than any retry can bring back within the run of an example. */
const REMEMBERED = 10_000;

/**
 * Tells new events from repeated ones by their id, which is the same on every attempt. A real receiver keeps the
 * ids in its database, in the transaction that acts on the event: then neither a crash nor a second
 * machine lets an event count twice.
 */
export function createSeenEvents(): (id: string) => boolean {
  const seen = new Set<string>();
  return (id) => {
    if (seen.has(id)) return false;
    seen.add(id);
    for (const oldest of seen) {
      if (seen.size <= REMEMBERED) break;
      seen.delete(oldest);
    }
    return true;
  };
}
