/** The attempts that may be under way at once, shared by all lanes. */
export interface Slots {
  /**
   * Asks for one more slot; `granted` is called with it, perhaps before this returns. A holder that has no
   * use for it by then gives it back.
   */
  request(holder: object, granted: () => void): void;
  /** Gives one slot back. */
  release(holder: object): void;
}

interface Waiting {
  readonly holder: object;
  readonly granted: () => void;
}

/** The share that only lanes without any slot may take: endpoints that hang cannot shut a newcomer out. */
const NEWCOMERS_SHARE = 0.25;

/** Shares out slots: whoever holds the fewest is next, and the last quarter is for those that hold none. */
export function createSlots(total: number): Slots {
  const reserve = Math.floor(total * NEWCOMERS_SHARE);
  const held = new Map<object, number>();
  let free = total;
  const queue: Waiting[] = [];

  function heldBy(holder: object): number {
    return held.get(holder) ?? 0;
  }

  function add(holder: object, change: 1 | -1): void {
    free -= change;
    const count = heldBy(holder) + change;
    if (count === 0) held.delete(holder);
    else held.set(holder, count);
  }

  function mayTake(holder: object): boolean {
    return heldBy(holder) === 0 ? free > 0 : free > reserve;
  }

  function next(): Waiting | undefined {
    let best: Waiting | undefined;
    for (const waiting of queue) {
      if (best === undefined || heldBy(waiting.holder) < heldBy(best.holder)) best = waiting;
    }
    return best !== undefined && mayTake(best.holder) ? best : undefined;
  }

  function shareOut(): void {
    for (let waiting = next(); waiting !== undefined; waiting = next()) {
      queue.splice(queue.indexOf(waiting), 1);
      add(waiting.holder, 1);
      waiting.granted();
    }
  }

  return {
    request(holder, granted) {
      queue.push({ holder, granted });
      shareOut();
    },
    release(holder) {
      add(holder, -1);
      shareOut();
    },
  };
}
