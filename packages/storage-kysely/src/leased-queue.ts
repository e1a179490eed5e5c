import type { Instant, Lease } from '@partner-hiring/core/ports';
import { type QueryCreator, sql } from 'kysely';
import { pickColumns } from './batch.js';
import type { JsonRows } from './dialect.js';
import { leaseClock, leaseEnd } from './lease-clock.js';
import type { Preparation } from './preparation.js';
import type { Schema } from './schema.js';
import type { Run } from './session.js';
import { define, type Param } from './statement.js';
import { maySend, type SenderParams, senderParams } from './system/deployment.js';
import type { LEASE, RowOf, Table, TableShape } from './table.js';

/** A table whose rows workers take one after another, and the column that identifies a row. */
export interface Queue<S extends TableShape & typeof LEASE, Id extends keyof S & string> {
  readonly table: Table<keyof Schema, S, unknown>;
  readonly id: Id;
}

/** The columns of any queue, for Kysely. `id` stands for the column that identifies a row. */
interface AnyQueue {
  queue: { id: string; due_at: Instant; lease_token: string | null; lease_until: Instant };
}

function queriesOf({ queries }: Pick<Preparation, 'queries'>): QueryCreator<AnyQueue> {
  return queries as unknown as QueryCreator<AnyQueue>;
}

type Item<S extends TableShape, Id extends keyof S & string> = Pick<RowOf<S>, Id>;

/** Leases rows that the caller has found and locked. */
export function prepareLease<S extends TableShape & typeof LEASE, Id extends keyof S & string>(
  preparation: Preparation,
  { table, id }: Queue<S, Id>,
) {
  const { items, now } = preparation;
  const lease = define((param: Param<Lease & { rows: JsonRows<Item<S, Id>>; now: Instant }>) =>
    queriesOf(preparation)
      .updateTable(table.name as 'queue')
      .from(items(param('rows'), pickColumns(table.columns, [id])) as never)
      .set({
        lease_token: param('token'),
        lease_until: leaseEnd(preparation, param('now'), param('forMs')),
      })
      .whereRef(`${table.name}.${id}` as 'id', '=', `item.${id}` as 'id'),
  );
  return async (run: Run, rows: readonly Item<S, Id>[], { token, forMs }: Lease): Promise<void> => {
    const taken = rows.map((row) => ({ [id]: row[id] }) as Item<S, Id>);
    await run.batch(lease, taken, { token, forMs, now: now() });
  };
}

/**
 * Leases the rows that have been due longest and that no worker holds.
 * @param isSent - whether the work goes outside, so that only a process of the database's deployment may do it.
 */
export function prepareTakeDue<
  S extends TableShape & typeof LEASE & Readonly<Record<'due_at', TableShape[string]>>,
  Id extends keyof S & string,
>(preparation: Preparation, queue: Queue<S, Id>, lease = prepareLease(preparation, queue), isSent = false) {
  const { lockFreeRows, now } = preparation;
  const { table, id } = queue;
  type Params = SenderParams & { dueBy: Instant; now: Instant; limit: number };
  const findDue = define((param: Param<Params>) =>
    queriesOf(preparation)
      .selectFrom(table.name as 'queue')
      .selectAll()
      .where('due_at', '<=', param('dueBy'))
      .where('lease_until', '<=', leaseClock(preparation, param('now')))
      .$if(isSent, (query) =>
        query.where(maySend(preparation, param as Param<SenderParams>), '=', sql.lit(1)),
      )
      .orderBy('due_at')
      .orderBy(id as 'id')
      .limit(param('limit'))
      .$call(lockFreeRows),
  );
  return async (run: Run, held: Lease, dueBy: Instant, limit: number): Promise<readonly RowOf<S>[]> => {
    const due = (await run.all(findDue, {
      dueBy,
      now: now(),
      limit,
      ...senderParams(preparation, held.deployment),
    })) as readonly unknown[] as readonly RowOf<S>[];
    await lease(run, due, held);
    return due;
  };
}

/** Deletes rows that the worker still holds. */
export function defineRemove<S extends TableShape & typeof LEASE, Id extends keyof S & string>(
  preparation: Preparation,
  { table, id }: Queue<S, Id>,
) {
  return define((param: Param<{ rows: JsonRows<Item<S, Id>>; token: string }>) =>
    queriesOf(preparation)
      .deleteFrom(table.name as 'queue')
      .where(id as 'id', 'in', (eb) =>
        eb
          .selectFrom(preparation.items(param('rows'), pickColumns(table.columns, [id])))
          .select(`item.${id}` as never),
      )
      .where('lease_token', '=', param('token')),
  );
}
