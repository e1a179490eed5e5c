import type { Instant } from '@partner-hiring/core/ports';
import { type SelectQueryBuilder, sql } from 'kysely';
import type { Schema } from './schema.js';
import type { Param } from './statement.js';

interface SweepPosition {
  /** The instant of the first row that may be left; 0 if unknown. */
  at(): Instant;
  moveTo(at: Instant): void;
}

/** If the clock was set back, a row may appear before the position. The next reset finds it. */
const TRUSTED_MS = 3_600_000;

/** Remembers where a sweep found the first row: PostgreSQL keeps deleted index entries for a while. */
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

/** Selects the first rows from a position. Without an upper bound, the planner uses the index order. */
export function fromSweepPosition<Table extends keyof Schema, Row>(
  query: SelectQueryBuilder<Schema, Table, Row>,
  column: keyof Schema[Table] & string,
  param: Param<FromSweepPosition>,
): SelectQueryBuilder<Schema, Table, Row> {
  const at = sql.ref<Instant>(column);
  return query.where(at, '>=', param('from')).orderBy(at).limit(param('limit'));
}

interface SweptRows {
  /** Returns the instants of the first rows from a position, expired or not. */
  find(from: Instant): Promise<readonly { readonly at: Instant }[]>;
  isOver(at: Instant): boolean;
  /** Deletes the expired rows among the first `limit` rows, and returns their number. */
  remove(from: Instant, limit: number): Promise<number>;
}

/** Sweeps one batch from the position, and advances it to the first row found. */
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
