import { getOrAdd } from '../domain/get-or-add.js';

export interface FairSemaphore {
  /** Grants one permit to the holder, possibly before this call returns. */
  request(holder: object, granted: () => void): void;
  release(holder: object): void;
}

interface Share {
  held: number;
  readonly wanted: (() => void)[];
}

const newShare = (): Share => ({ held: 0, wanted: [] });

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
    return getOrAdd(shares, holder, newShare);
  }

  function hold(share: Share, by: 1 | -1): void {
    share.held += by;
    free -= by;
  }

  function isFreeFor({ held }: Share): boolean {
    return free > (held === 0 ? 0 : reserve);
  }

  function grantFree(): void {
    for (let share = queue.first(); share !== undefined && isFreeFor(share); share = queue.first()) {
      queue.remove(share);
      const granted = share.wanted.shift();
      hold(share, 1);
      if (share.wanted.length > 0) queue.add(share);
      granted?.();
    }
  }

  return {
    request(holder, granted) {
      const share = shareOf(holder);
      // Most requests need no queue, and a set that becomes empty allocates memory each time.
      if (isFreeFor(share) && queue.first() === undefined) {
        hold(share, 1);
        granted();
        return;
      }
      share.wanted.push(granted);
      queue.add(share);
      grantFree();
    },
    release(holder) {
      const share = shareOf(holder);
      const waits = share.wanted.length > 0;
      if (waits) queue.remove(share);
      hold(share, -1);
      if (waits) queue.add(share);
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
