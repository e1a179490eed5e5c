/** Remembers, for each kind of call, the cell to begin with. All sessions of a storage share it. */
export interface Rotation {
  /** Returns the cells in the order of this round. */
  order(kind: string): readonly number[];
  /** The next round begins with the cell after this one. */
  served(kind: string, cell: number): void;
}

export function createRotation(count: number): Rotation {
  const served = new Map<string, number>();
  return {
    order(kind) {
      const last = served.get(kind) ?? 0;
      // Downwards, so that the home cell comes last.
      return Array.from({ length: count }, (_, index) => (last - 1 - index + 2 * count) % count);
    },
    served: (kind, cell) => void served.set(kind, cell),
  };
}
