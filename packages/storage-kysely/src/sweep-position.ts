import type { Instant } from '@partner-hiring/core/ports';
import {
  type DeleteQueryBuilder,
  type DeleteResult,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
} from 'kysely';
import type { Preparation } from './preparation.js';
import type { Schema } from './schema.js';
import type { Session } from './session.js';
import { define, type Param, WRITTEN } from './statement.js';

interface SweepPosition {
  /** The earliest instant at which a row may remain; 0 if unknown. */
  at(): Instant;
  moveTo(at: Instant): void;
}

/**
 * How long a position is trusted. If the clock was set back, rows may appear before it. After this time, the
 * search starts again from 0.
 */
const TRUSTED_MS = 3_600_000;

/**
 * Remembers where a sweep found its first row. The next sweep starts there, because PostgreSQL keeps deleted
 * index entries for a while.
 */
export function createSweepPosition(now: () => Instant): SweepPosition {
  let position: Instant = 0;
  let knownSince = Number.NEGATIVE_INFINITY;
  return {
    at() {
      const at = now();
      if (at < knownSince || at >= knownSince + TRUSTED_MS) {
        position = 0;
        knownSince = at;
      }
      return position;
    },
    moveTo(at) {
      position = Math.max(position, at);
    },
  };
}

export interface FromSweepPosition {
  readonly from: Instant;
  readonly limit: number;
}

/**
 * Selects the first rows at or after a position. The query has no upper bound, so that the planner reads in
 * index order.
 */
export function fromSweepPosition<Table extends keyof Schema, Row>(
  query: SelectQueryBuilder<Schema, Table, Row>,
  column: keyof Schema[Table] & string,
  param: Param<FromSweepPosition>,
): SelectQueryBuilder<Schema, Table, Row> {
  const at = sql.ref<Instant>(column);
  return query.where(at, '>=', param('from')).orderBy(at).limit(param('limit'));
}

interface Swept<Name extends keyof Schema & string> {
  readonly table: Name;
  /** The instant by which rows expire. An index has this order. */
  readonly column: keyof Schema[Name] & string;
  /** The columns that identify a row. */
  readonly key: readonly (keyof Schema[Name] & string)[];
  /** The order of rows with the same instant. Default: any order. */
  readonly inOrderOf?: readonly (keyof Schema[Name] & string)[];
  /** Which rows are swept. Default: all. */
  readonly only?: (query: Selecting<Name>) => Selecting<Name>;
  /** Repeats the condition, because another transaction may have changed a row meanwhile. */
  readonly recheck?: (query: Deleting<Name>, before: RawBuilder<Instant>) => Deleting<Name>;
  readonly isOver: (at: Instant, before: Instant) => boolean;
  /** How the session deletes. Default: `write`. */
  readonly by?: 'write' | 'writeWithAsyncCommit';
}

type Selecting<Name extends keyof Schema> = SelectQueryBuilder<Schema, Name, object>;
type Deleting<Name extends keyof Schema> = DeleteQueryBuilder<Schema, Name, DeleteResult>;
type Sweep = (session: Session, before: Instant, limit: number) => Promise<number>;

/**
 * Prepares a sweep of expired rows. Each call looks at the first rows behind the position, moves the position to the
 * first of them, and deletes the expired ones. Returns the number of deleted rows.
 */
export function prepareSweep<Name extends keyof Schema & string>(
  { queries, now }: Preparation,
  {
    table,
    column,
    key,
    inOrderOf = [],
    only = (query) => query,
    recheck = (query) => query,
    isOver,
    by = 'write',
  }: Swept<Name>,
): Sweep {
  const rows = only(queries.selectFrom(table) as unknown as Selecting<Name>);
  const findOldest = define((param: Param<FromSweepPosition>) =>
    fromSweepPosition(rows.select(sql.ref<Instant>(column).as('at')), column, param),
  );
  const remove = define((param: Param<FromSweepPosition & { before: Instant }>) => {
    const oldest = fromSweepPosition(rows.select(key as never), column, param as Param<FromSweepPosition>);
    const inOrder = inOrderOf.reduce((query, each) => query.orderBy(each as never), oldest);
    const deleted = queries.deleteFrom(table) as unknown as Deleting<Name>;
    const found = deleted.where(sql<boolean>`${keyOf(key)} in ${inOrder}`);
    return recheck(found, param('before')).returning(WRITTEN);
  });
  const position = createSweepPosition(now);
  return (session, before, limit) =>
    sweepFrom(position, {
      find: (from) => session.read((run) => run.all(findOldest, { from, limit })),
      isOver: (at) => isOver(at, before),
      remove: (from, count) => session[by]((run) => run.count(remove, { from, before, limit: count })),
    });
}

type SweptOldest<Name extends keyof Schema & string> = Pick<
  Swept<Name>,
  'table' | 'column' | 'key' | 'recheck' | 'by'
>;

/** Prepares a sweep of few rows, such as counts: it searches for the first expired row from the start. */
export function prepareSweepOldest<Name extends keyof Schema & string>(
  { queries }: Preparation,
  { table, column, key, recheck = (query) => query, by = 'write' }: SweptOldest<Name>,
): Sweep {
  const remove = define((param: Param<{ before: Instant; limit: number }>) => {
    const at = sql.ref<Instant>(`old.${column}`);
    const oldest = (queries.selectFrom(`${table} as old`) as unknown as Selecting<Name>)
      .select(key.map((each) => `old.${each}`) as never)
      .where(at, '<', param('before'))
      .orderBy(at)
      .limit(param('limit'));
    const deleted = queries.deleteFrom(table) as unknown as Deleting<Name>;
    const found = deleted.where(sql<boolean>`${keyOf(key)} in ${oldest}`);
    return recheck(found, param('before')).returning(WRITTEN);
  });
  return (session, before, limit) => session[by]((run) => run.count(remove, { before, limit }));
}

function keyOf(key: readonly string[]): RawBuilder<unknown> {
  const columns = sql.join(key.map((name) => sql.ref(name)));
  return key.length === 1 ? columns : sql`(${columns})`;
}

interface SweptRows {
  /** Returns the instants of the first rows at or after a position, whether expired or not. */
  find(from: Instant): Promise<readonly { readonly at: Instant }[]>;
  isOver(at: Instant): boolean;
  /** Deletes the expired rows among the first `limit` rows, and returns the number of deleted rows. */
  remove(from: Instant, limit: number): Promise<number>;
}

/** Sweeps one batch of rows from the position. Moves the position to the first row found. */
export async function sweepFrom(
  position: SweepPosition,
  { find, isOver, remove }: SweptRows,
): Promise<number> {
  const rows = await find(position.at());
  const [first] = rows;
  if (first === undefined) return 0;
  position.moveTo(first.at);
  const over = rows.filter(({ at }) => isOver(at));
  return over.length === 0 ? 0 : remove(first.at, over.length);
}
