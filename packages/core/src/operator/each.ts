import type { Page, PageOptions } from './page-cursor.js';

/** Commands without their iterators, which `withEach` adds. */
export type WithoutEach<Commands> = Pick<Commands, Exclude<keyof Commands, `each${string}`>>;

type List = (filter?: PageOptions) => Promise<Page<unknown>>;

/** Adds an iterator for each list: `each` beside `list`, `eachAttempt` beside `listAttempts`. */
export function withEach<Commands>(commands: WithoutEach<Commands>): Commands {
  const lists = Object.entries<List>(commands as Record<string, List>).filter(([name]) => isList(name));
  const iterators = lists.map(([name, list]) => [
    eachOf(name),
    (filter?: PageOptions) => rowsOf(list, filter),
  ]);
  return { ...commands, ...Object.fromEntries(iterators) } as Commands;
}

function isList(name: string): boolean {
  return /^list(?![a-z])/.test(name);
}

function eachOf(list: string): string {
  return `each${list.slice('list'.length).replace(/s$/, '')}`;
}

/** Reads a page when its first row is asked for. The first call checks the filter. */
async function* rowsOf(list: List, filter: PageOptions | undefined): AsyncGenerator<unknown, void> {
  let page = await list(filter);
  for (;;) {
    yield* page.items;
    if (page.nextCursor === null) return;
    page = await list({ ...filter, cursor: page.nextCursor });
  }
}
