import type { Instant, Repositories } from '@partner-hiring/core/ports';
import { type Expression, type ExpressionBuilder, expressionBuilder, sql } from 'kysely';
import { defineInsert, replace, writeEach } from '../../batch.js';
import { ONE } from '../../look-ups.js';
import type { Preparation, Prepare } from '../../preparation.js';
import type { Schema } from '../../schema.js';
import { prepareSweep } from '../../sweep-position.js';
import { prepareListReads, prepareListRequests } from './request-lists.js';
import { REQUEST_READS, REQUESTS } from './table.js';

const prepareRequestSweeps: Prepare<Pick<Repositories['requests'], 'sweep' | 'sweepReads'>> = (
  preparation,
) => {
  const sweeps = [prepareSweepKind(preparation, 0), prepareSweepKind(preparation, 1)];
  const sweepReads = prepareSweep(preparation, {
    table: 'ph_request_read',
    column: 'sweep_at',
    key: ['key_id', 'route', 'minute'],
    inOrderOf: ['key_id', 'route'],
    isOver: (at, before) => at < before - MINUTE_MS,
    by: 'writeWithAsyncCommit',
  });
  return {
    sweep: async (session, before, limit) => {
      let removed = 0;
      for (const sweep of sweeps) removed += await sweep(session, before, limit);
      return removed;
    },
    sweepReads,
  };
};

/** Sweeps errors or other requests, which are different ranges of the index. */
function prepareSweepKind(preparation: Preparation, kind: 0 | 1) {
  return prepareSweep(preparation, {
    table: 'ph_request',
    column: 'at',
    key: ['request_id'],
    inOrderOf: ['request_id'],
    only: (query) => query.where('is_error', '=', sql.lit(kind)),
    isOver: (at, before) => at < before,
    by: 'writeWithAsyncCommit',
  });
}

const MINUTE_MS = 60_000;

export const prepareRequests: Prepare<Repositories['requests']> = (preparation) => {
  const add = defineAdd(preparation);
  const addReads = defineAddReads(preparation);

  return {
    ...prepareListRequests(preparation),
    ...prepareListReads(preparation),
    ...prepareRequestSweeps(preparation),
    add: writeEach(add, REQUESTS.toRow, 'writeWithAsyncCommit'),
    addReads: writeEach(addReads, REQUEST_READS.toRow, 'writeWithAsyncCommit'),
  };
};

function defineAdd(preparation: Preparation) {
  return defineInsert(preparation, {
    table: REQUESTS,
    finish: (insert) =>
      insert.onConflict(replace(REQUESTS.pick('request_id', 'count', 'last_at'), ['request_id'])),
  });
}

function defineAddReads(preparation: Preparation) {
  return defineInsert(preparation, {
    table: REQUEST_READS,
    keyColumns: 3,
    finish: (insert) =>
      insert.onConflict((conflict) =>
        conflict.columns(['key_id', 'route', 'minute']).doUpdateSet((eb) => ({
          count: eb('ph_request_read.count', '+', eb.ref('excluded.count')),
          last_at: newer(eb as never, 'last_at'),
          last_request_id: newer(eb as never, 'last_request_id'),
          read_after: JOINED_AFTER,
          read_through: JOINED_THROUGH,
        })),
      ),
  });
}

/** The rule of `joinReadRanges`. A comparison with null does not hold. */
const JOINED_AFTER = sql<Instant | null>`case
  when excluded.read_after <= ph_request_read.read_through
    and ph_request_read.read_after <= excluded.read_through
    and ph_request_read.read_after < excluded.read_after
    then ph_request_read.read_after
  when excluded.read_after <= ph_request_read.read_through
    and ph_request_read.read_after <= excluded.read_through
    then excluded.read_after
  when ph_request_read.read_through is null or excluded.read_through > ph_request_read.read_through
    then excluded.read_after
  else ph_request_read.read_after end`;

const JOINED_THROUGH = sql<Instant | null>`case
  when ph_request_read.read_through is null or excluded.read_through > ph_request_read.read_through
    then excluded.read_through
  else ph_request_read.read_through end`;

type Conflict = ExpressionBuilder<
  Schema & { excluded: Schema['ph_request_read'] },
  'ph_request_read' | 'excluded'
>;

/** The value of the later read, because processes write in any order. */
function newer<Column extends 'last_at' | 'last_request_id'>(eb: Conflict, column: Column) {
  return eb
    .case()
    .when('excluded.last_at', '>=', eb.ref('ph_request_read.last_at'))
    .then(eb.ref(`excluded.${column}`))
    .else(eb.ref(`ph_request_read.${column}`))
    .end();
}

/** Each kind of request is a range of the index. */
export function firstOldRequest({ queries }: Preparation, before: Expression<Instant>) {
  const first = (isError: 0 | 1) =>
    queries
      .selectFrom('ph_request')
      .select('at')
      .where('is_error', '=', sql.lit(isError))
      .where('at', '<', before)
      .orderBy('at')
      .limit(ONE);
  return expressionBuilder<Schema>().fn.coalesce(first(0), first(1));
}
