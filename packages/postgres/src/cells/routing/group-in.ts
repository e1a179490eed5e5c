/** The index of the home cell. */
export const HOME = 0;

/** Rows that no cell has belong to the home cell. */
export function groupIn<Item>(
  cells: ReadonlyMap<string, number>,
  items: readonly Item[],
  idOf: (item: Item) => string | null,
): ReadonlyMap<number, readonly Item[]> {
  const groups = new Map<number, Item[]>();
  for (const item of items) {
    const id = idOf(item);
    const cell = (id === null ? undefined : cells.get(id)) ?? HOME;
    const list = groups.get(cell);
    if (list === undefined) groups.set(cell, [item]);
    else list.push(item);
  }
  return new Map([...groups].sort(([one], [other]) => one - other));
}
