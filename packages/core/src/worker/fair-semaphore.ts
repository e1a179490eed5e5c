export interface FairSemaphore {
  /** Grants one permit to the holder, possibly before this call returns. */
  request(holder: object, granted: () => void): void;
  release(holder: object): void;
}

interface Share {
  held: number;
  readonly wanted: (() => void)[];
}

/**
 * The share of permits that is reserved for holders without one, so that hanging endpoints cannot block
 * others.
 */
const NEWCOMERS_SHARE = 0.25;

export function createFairSemaphore(total: number): FairSemaphore {
  const reserve = Math.floor(total * NEWCOMERS_SHARE);
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

  function grantFree(): void {
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
      grantFree();
    },
    release(holder) {
      change(shareOf(holder), -1);
      grantFree();
    },
  };
}

/** A queue in which holders with the fewest permits come first, then those that asked first. */
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
