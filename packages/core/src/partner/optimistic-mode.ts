export interface OptimisticMode {
  isOn(): boolean;
  /** Call it after each optimistic batch, and after each batch while the mode is off. */
  note(wasNew: boolean): void;
}

const MAX_IN_A_ROW = 64;

/** A replay turns the mode off. Each failure doubles the number of new batches that turn it on again. */
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
