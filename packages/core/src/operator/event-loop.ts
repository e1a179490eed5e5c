import { onImmediate } from '../real-timers.js';

/** How many items to process before requests get a turn: about ten milliseconds of work. */
const BATCH = 500;

export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => onImmediate(resolve));
}

export async function mapInBatches<Item, Result>(
  items: readonly Item[],
  make: (item: Item) => Result,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += BATCH) {
    if (start > 0) await yieldToEventLoop();
    for (const item of items.slice(start, start + BATCH)) results.push(make(item));
  }
  return results;
}

type Command = (...input: readonly unknown[]) => Promise<unknown>;

/** Makes the commands of a group yield to requests. */
export type Yielding = <Commands>(commands: Commands) => Commands;

/**
 * Starts at most two commands per turn of the event loop, over all commands that it is called with. SQLite is
 * synchronous, so a loop of commands would otherwise block requests.
 */
export function createYielding(): Yielding {
  let turn: Promise<void> | null = null;

  function begin(): Promise<void> | undefined {
    if (turn !== null) return turn;
    turn = yieldToEventLoop().then(() => {
      turn = null;
    });
    return undefined;
  }

  const yielding = (command: Command): Command => {
    return async (...input) => {
      await begin();
      return command(...input);
    };
  };

  return <Commands>(commands: Commands) => {
    const wrapped = Object.entries(commands as Record<string, Command>).map(([name, command]) => [
      name,
      yielding(command),
    ]);
    return Object.fromEntries(wrapped) as Commands;
  };
}
