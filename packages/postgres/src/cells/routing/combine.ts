import type { Repositories } from '@partner-hiring/core/ports';
import { makeWhenRead } from '@partner-hiring/storage-kysely';
import { ROUTES } from '../routes/routes.js';
import type { Cells } from './cells.js';
import type { CellRoute } from './route.js';

type Methods = Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>;

/** Combines the repositories of all cells. Each is made when it is first used, and so is each method. */
export function combineCells(cells: Cells): Repositories {
  return makeWhenRead(MAKERS, (make) => make(cells)) as unknown as Repositories;
}

const MAKERS = Object.fromEntries(
  Object.entries(ROUTES).map(([repository, routes]) => {
    const of = (cell: Repositories) => cell[repository as keyof Repositories] as unknown as Methods;
    if (routes === 'home') return [repository, ({ home }: Cells) => of(home)];
    const methods = Object.fromEntries(
      Object.entries(routes as Readonly<Record<string, CellRoute<unknown[], unknown>>>).map(
        ([method, route]) => {
          const call = (cell: Repositories, ...args: unknown[]) => ask(of(cell), method, args);
          return [method, { route, call, name: `${repository}.${method}` }];
        },
      ),
    );
    const make = (cells: Cells): Methods =>
      makeWhenRead(
        methods,
        ({ route, call, name }) =>
          (...args) =>
            route({ cells, call, name }, ...args),
      );
    return [repository, make];
  }),
);

function ask(repository: Methods, method: string, args: unknown[]): Promise<unknown> {
  const run = repository[method];
  if (run === undefined) throw new Error(`A cell lacks the method ${method}.`);
  return run(...args);
}
