export interface OptimisticMode {
  isOn(): boolean;
  /** Call it after each optimistic batch. While the mode is off, call it after every batch. */
  note(wasNew: boolean): void;
}

const MAX_IN_A_ROW = 64;

/**
 * Says whether a batch may assume that its idempotency keys are new. A replay turns the mode off. The mode turns on
 * again after a number of batches with only new keys. That number doubles with each replay.
 */
export function createOptimisticMode(): OptimisticMode {
  let nextInARow = 1;
  let inARow = 0;
  let left = 0;
  return {
    isOn: () => left === 0,
    note: (wasNew) => {
      if (left > 0) {
        left = wasNew ? left - 1 : inARow;
      } else if (wasNew) {
        nextInARow = Math.max(1, nextInARow / 2);
      } else {
        inARow = nextInARow;
        left = inARow;
        nextInARow = Math.min(MAX_IN_A_ROW, 2 * nextInARow);
      }
    },
  };
}
