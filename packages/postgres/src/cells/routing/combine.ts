import type { Repositories } from '@partner-hiring/core/ports';
import { ROUTES } from '../routes/routes.js';
import type { Cells } from './cells.js';
import type { Route } from './route.js';

type Methods = Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>;

/** Combines the repositories of all cells. Each is made when it is first used. */
export function combineCells(cells: Cells): Repositories {
  const made = new Map<string, Methods>();
  const combined = {};
  for (const [name, make] of MAKERS) {
    const get = () => {
      const repository = made.get(name) ?? make(cells);
      made.set(name, repository);
      return repository;
    };
    Object.defineProperty(combined, name, { enumerable: true, get });
  }
  return combined as Repositories;
}

const MAKERS = Object.entries(ROUTES).map(([repository, routes]) => {
  const of = (cell: Repositories) => cell[repository as keyof Repositories] as unknown as Methods;
  if (routes === 'home') return [repository, ({ home }: Cells) => of(home)] as const;
  const methods = Object.entries(routes as Readonly<Record<string, Route<unknown[], unknown>>>).map(
    ([method, route]) => {
      const call = (cell: Repositories, ...args: unknown[]) => ask(of(cell), method, args);
      return { method, route, call, name: `${repository}.${method}` };
    },
  );
  const make = (cells: Cells): Methods =>
    Object.fromEntries(
      methods.map(({ method, route, call, name }) => [
        method,
        (...args) => route({ cells, call, name }, ...args),
      ]),
    );
  return [repository, make] as const;
});

function ask(repository: Methods, method: string, args: unknown[]): Promise<unknown> {
  const run = repository[method];
  if (run === undefined) throw new Error(`A cell lacks the method ${method}.`);
  return run(...args);
}
