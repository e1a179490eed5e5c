/** Whether what comes next may be presumed to be plain, by what came before. */
export interface OptimisticMode {
  isOn(): boolean;
  /** Told of each that was presumed to be plain, and of each while it is not given: whether it was. */
  note(wasPlain: boolean): void;
}

/** However often it was taken away, so many in a row bring it back. */
const MOST_IN_A_ROW = 64;

/**
 * Given at first. The first that was not plain takes it away, and the next plain one brings it back; the second time it
 * takes two in a row, then four. Each that was rightly presumed halves that number again.
 */
export function createOptimisticMode(): OptimisticMode {
  let nextInARow = 1;
  let inARow = 0;
  let left = 0;
  return {
    isOn: () => left === 0,
    note: (wasPlain) => {
      if (left > 0) {
        left = wasPlain ? left - 1 : inARow;
      } else if (wasPlain) {
        nextInARow = Math.max(1, nextInARow / 2);
      } else {
        inARow = nextInARow;
        left = inARow;
        nextInARow = Math.min(MOST_IN_A_ROW, 2 * nextInARow);
      }
    },
  };
}
