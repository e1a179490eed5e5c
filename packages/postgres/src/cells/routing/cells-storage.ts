import type { Repositories, Storage } from '@partner-hiring/core/ports';
import {
  createDirectSession,
  createHostSession,
  createStorage,
  createTransactionSession,
  type Dialect,
  type Driver,
  type Execute,
  makeWhenRead,
  prepareRepositories,
  type Session,
  toPreparation,
} from '@partner-hiring/storage-kysely';
import { ROUTES } from '../routes/routes.js';
import { type BoundCells, type Cells, createCells, MOST_LATE } from './cells.js';
import { createDirectory, type Directory } from './directory.js';
import { createPlacement } from './placement.js';
import { createRotation } from './rotation.js';
import type { CellRoute } from './route.js';

/** A complete set of tables in the database. */
export interface Cell {
  readonly name: string;
  readonly dialect: Dialect;
}

export interface CellsOptions {
  /** At least two, the home cell first. */
  readonly cells: readonly Cell[];
  /** Whether a statement failed because a row that it refers to does not exist. */
  readonly lacksRow: (error: unknown) => boolean;
  /** Returns an error after which the driver runs the transaction again. */
  readonly asContention: (error: unknown) => unknown;
}

/**
 * Creates a storage on several cells of one database. Each transaction uses one connection, so a single transaction of
 * the database covers all cells.
 */
export function createCellsStorage<HostTx, StorageTx>(
  { cells, lacksRow, asContention }: CellsOptions,
  driver: Driver<HostTx, StorageTx>,
): Storage<HostTx, StorageTx> {
  const preparations = cells.map(({ dialect }) => toPreparation(dialect, driver));
  const binds = preparations.map(prepareRepositories);
  const directory = createDirectory(preparations);
  const placement = createPlacement(
    preparations,
    cells.map(({ name }) => name),
  );
  const parts = { directory, placement, rotation: createRotation(cells.length), lacksRow };

  function bindCells(session: Session, alone: BoundCells['alone']): BoundCells {
    const bound = new Map<number, Repositories>();
    const bindTo = (to: Session, index: number) => {
      const bind = binds[index];
      if (bind === undefined) throw new Error(`There is no cell ${index}.`);
      return bind(to);
    };
    return {
      count: cells.length,
      session,
      alone,
      cell(index) {
        const known = bound.get(index) ?? bindTo(session, index);
        bound.set(index, known);
        return known;
      },
      cellWithoutCommit: (index) => bindTo({ ...session, writeLast: null }, index),
    };
  }

  const watched = watchDriver(driver, directory, { lacksRow, asContention });
  const bind = (session: Session, alone: BoundCells['alone'] = null) =>
    combineCells(createCells(bindCells(session, alone), parts));

  return {
    ...createStorage(watched, bind),
    // The calls themselves ask again for the cell.
    direct: bind(createDirectSession(driver as Driver<never>), {
      read: (work) => driver.read((execute) => work(bindCells(createHostSession(execute), null))),
      write: (work) => driver.write((ways) => work(bindCells(createTransactionSession(ways), null))),
    }),
    announcesWork: cells.some(({ dialect }) => dialect.announceWork !== null),
    partOf: (keyId) => directory.recall('key', keyId) ?? 0,
  };
}

/**
 * Handles a statement that refers to a row that its cell lacks, because the partner may have moved. Forgets where
 * partners are, and lets the transaction run again. If no cell was remembered, it runs again at most `MOST_LATE` times.
 */
function watchDriver<HostTx, StorageTx>(
  driver: Driver<HostTx, StorageTx>,
  directory: Directory,
  { lacksRow, asContention }: Pick<CellsOptions, 'lacksRow' | 'asContention'>,
): Driver<HostTx, StorageTx> {
  const watch = (execute: Execute, mayBeLate: () => boolean): Execute => {
    const startedAt = performance.now();
    return async (sql, sets) => {
      try {
        return await execute(sql, sets);
      } catch (error) {
        if (!lacksRow(error)) throw error;
        throw directory.forget(startedAt) || mayBeLate() ? asContention(error) : error;
      }
    };
  };
  const countLate = () => {
    let left = MOST_LATE;
    return () => {
      if (left === 0) return false;
      left -= 1;
      directory.forget(Number.POSITIVE_INFINITY);
      return true;
    };
  };
  return {
    ...driver,
    write: (work) => {
      const mayBeLate = countLate();
      return driver.write(({ execute, executeEarly, executeLast }) =>
        work({
          execute: watch(execute, mayBeLate),
          executeEarly: watch(executeEarly, mayBeLate),
          executeLast: watch(executeLast, mayBeLate),
        }),
      );
    },
    // The storage cannot run a transaction of the host again.
    adopt: (hostTx) => watch(driver.adopt(hostTx), () => false),
    openForHost: (work) => {
      const mayBeLate = countLate();
      return driver.openForHost((tx, execute) => work(tx, watch(execute, mayBeLate)));
    },
  };
}

type Methods = Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>;

/** Combines the repositories of all cells. Each is made when it is first used, and so is each method. */
function combineCells(cells: Cells): Repositories {
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
