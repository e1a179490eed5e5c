import type { Instant } from '@partner-hiring/core/ports';
import { type SelectQueryBuilder, sql } from 'kysely';
import type { Schema } from './schema.js';
import type { Param } from './statement.js';

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
