/** The attempts that may be under way at once, shared by all lanes. */
export interface FairSemaphore {
  /**
   * Asks for one more slot; `granted` is called with it, perhaps before this returns. A holder that has no
   * use for it by then gives it back.
   */
  request(holder: object, granted: () => void): void;
  /** Gives one slot back. */
  release(holder: object): void;
}

/** What one holder has and wants. */
interface Share {
  held: number;
  /** Its requests, the first one first. */
  readonly wanted: (() => void)[];
}

/** The share that only lanes without any slot may take: endpoints that hang cannot shut a newcomer out. */
const NEWCOMERS_SHARE = 0.25;

/** Shares out slots: whoever holds the fewest is next, and the last quarter is for those that hold none. */
export function createFairSemaphore(total: number): FairSemaphore {
  const reserve = Math.floor(total * NEWCOMERS_SHARE);
  /** Nothing keeps the share of a holder that is gone. */
  const shares = new WeakMap<object, Share>();
  const queue = createQueue();
  let free = total;

  function shareOf(holder: object): Share {
    const known = shares.get(holder);
    if (known !== undefined) return known;
    const share = { held: 0, wanted: [] };
    shares.set(holder, share);
    return share;
  }

  function change(share: Share, by: 1 | -1): void {
    queue.remove(share);
    share.held += by;
    free -= by;
    if (share.wanted.length > 0) queue.add(share);
  }

  function next(): Share | undefined {
    const share = queue.first();
    if (share === undefined) return undefined;
    return free > (share.held === 0 ? 0 : reserve) ? share : undefined;
  }

  function shareOut(): void {
    for (let share = next(); share !== undefined; share = next()) {
      const granted = share.wanted.shift();
      change(share, 1);
      granted?.();
    }
  }

  return {
    request(holder, granted) {
      const share = shareOf(holder);
      share.wanted.push(granted);
      queue.add(share);
      shareOut();
    },
    release(holder) {
      change(shareOf(holder), -1);
      shareOut();
    },
  };
}

/** Those that want a slot, by how many they hold; among equals whoever came first. */
function createQueue() {
  const byHeld: Set<Share>[] = [];
  return {
    add(share: Share): void {
      const equals = byHeld[share.held] ?? new Set();
      byHeld[share.held] = equals.add(share);
    },
    remove(share: Share): void {
      byHeld[share.held]?.delete(share);
    },
    first(): Share | undefined {
      for (let held = 0; held < byHeld.length; held += 1) {
        const equals = byHeld[held];
        if (equals !== undefined && equals.size > 0) return equals.values().next().value;
      }
      return undefined;
    },
  };
}
