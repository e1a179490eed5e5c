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
  readonly share: Share;
  readonly granted: () => void;
}

/** What one holder has: looked up once for each request, not for each comparison. */
interface Share {
  held: number;
  wanted: number;
}

/** The share that only lanes without any slot may take: endpoints that hang cannot shut a newcomer out. */
const NEWCOMERS_SHARE = 0.25;

/** Shares out slots: whoever holds the fewest is next, and the last quarter is for those that hold none. */
export function createSlots(total: number): Slots {
  const reserve = Math.floor(total * NEWCOMERS_SHARE);
  const shares = new Map<object, Share>();
  let free = total;
  const queue: Waiting[] = [];

  function shareOf(holder: object): Share {
    const known = shares.get(holder);
    if (known !== undefined) return known;
    const share = { held: 0, wanted: 0 };
    shares.set(holder, share);
    return share;
  }

  function forgetIfIdle(holder: object, { held, wanted }: Share): void {
    if (held === 0 && wanted === 0) shares.delete(holder);
  }

  function mayTake({ held }: Share): boolean {
    return held === 0 ? free > 0 : free > reserve;
  }

  function next(): Waiting | undefined {
    let best: Waiting | undefined;
    for (const waiting of queue) {
      if (best === undefined || waiting.share.held < best.share.held) best = waiting;
      if (best.share.held === 0) break;
    }
    return best !== undefined && mayTake(best.share) ? best : undefined;
  }

  function shareOut(): void {
    if (free === 0) return;
    for (let waiting = next(); waiting !== undefined; waiting = next()) {
      queue.splice(queue.indexOf(waiting), 1);
      waiting.share.wanted -= 1;
      waiting.share.held += 1;
      free -= 1;
      waiting.granted();
    }
  }

  return {
    request(holder, granted) {
      const share = shareOf(holder);
      share.wanted += 1;
      queue.push({ share, granted });
      shareOut();
    },
    release(holder) {
      const share = shareOf(holder);
      share.held -= 1;
      free += 1;
      forgetIfIdle(holder, share);
      shareOut();
    },
  };
}
