import type { Instant } from '@partner-hiring/core/ports';
import { type SelectQueryBuilder, sql } from 'kysely';
import type { Schema } from './schema.js';
import type { Param } from './statement.js';

/** Where the rows begin that are left, in the order of an index by instants. */
interface SweepPosition {
  /** Nothing lies before it, as far as this process knows; 0 if it knows nothing. */
  at(): Instant;
  /** All before it have gone. It never moves back. */
  moveTo(at: Instant): void;
}

/** A clock that was set back may bring in a row before the front. It is swept an hour later: nothing depends on when. */
const TRUSTED_MS = 3_600_000;

/**
 * Remembers where a sweep found the first row, so that the next one begins there. A server keeps what was deleted, in its
 * indexes too, for as long as any transaction could still see it: whoever begins at the first row walks over all of
 * that again.
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

/** So many rows from a front on. */
export interface FromSweepPosition {
  readonly from: Instant;
  readonly limit: number;
}

/**
 * The first rows from a front on, in the order of an index. Open at its end: for that a planner takes the index in its
 * order, whatever it knows.
 *
 * @param column - the instant of a row, by which the index is ordered.
 */
export function fromSweepPosition<Table extends keyof Schema, Row>(
  query: SelectQueryBuilder<Schema, Table, Row>,
  column: keyof Schema[Table] & string,
  param: Param<FromSweepPosition>,
): SelectQueryBuilder<Schema, Table, Row> {
  const at = sql.ref<Instant>(column);
  return query.where(at, '>=', param('from')).orderBy(at).limit(param('limit'));
}

/** How the rows of one table are swept. */
interface SweptRows {
  /** The instants of the first rows from that front on, in the order of their index, whether they are over or not. */
  find(from: Instant): Promise<readonly { readonly at: Instant }[]>;
  isOver(at: Instant): boolean;
  /** Deletes what is over of so many rows from the front on; how many it deleted. */
  remove(from: Instant, limit: number): Promise<number>;
}

/** Sweeps one batch from the front on, and moves it to the first row that was found. */
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
