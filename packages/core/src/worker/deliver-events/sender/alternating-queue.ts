/** What waits in two queues of which each comes first in turn. */
export interface AlternatingQueue<Item> {
  /** Adds one at the end of its queue. */
  add(item: Item, isDue: boolean): void;
  /** Puts one back at the front of its queue. */
  putBack(item: Item, isDue: boolean): void;
  /** The next one: of the queue whose turn it is, or of the other; undefined if none waits. */
  take(): Item | undefined;
  /** How many wait in both. */
  size(): number;
}

/** Builds two queues, one of new events and one of due rows: a long one of either kind holds up none of the other. */
export function createAlternatingQueue<Item>(): AlternatingQueue<Item> {
  const fresh: Item[] = [];
  const due: Item[] = [];
  let isDueNext = false;
  const queueOf = (isDue: boolean) => (isDue ? due : fresh);

  return {
    add: (item, isDue) => void queueOf(isDue).push(item),
    putBack: (item, isDue) => void queueOf(isDue).unshift(item),
    take() {
      const [first, second] = isDueNext ? [due, fresh] : [fresh, due];
      isDueNext = !isDueNext;
      return first.shift() ?? second.shift();
    },
    size: () => fresh.length + due.length,
  };
}
