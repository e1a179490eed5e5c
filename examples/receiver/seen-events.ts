/** The number of event ids to remember: more than one run of the example sends. */
const REMEMBERED = 10_000;

/**
 * Detects duplicates by event id, which is the same on every attempt. A real receiver stores the ids in its database, in
 * the transaction that processes the event, so that a crash or a second machine cannot process it twice.
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
