import type { Instant, Lease } from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import { pickColumns } from './batch.js';
import type { JsonRows } from './dialect.js';
import { leaseClock, leaseEnd } from './lease-clock.js';
import type { Preparation } from './preparation.js';
import type { Run } from './session.js';
import { define, type Param } from './statement.js';
import { maySend, type SenderParams, senderParams } from './system/deployment.js';
import type { LEASE, RowOf, Table, TableShape } from './table.js';

/** A table whose rows workers take one after another, and the column that identifies a row. */
export interface Queue<S extends TableShape & typeof LEASE, Id extends keyof S & string> {
  readonly table: Table<'ph_alert' | 'ph_resume_task' | 'ph_resume_removal', S, unknown>;
  readonly id: Id;
}

type Item<S extends TableShape, Id extends keyof S & string> = Pick<RowOf<S>, Id>;

/** Leases rows that the caller has found and locked. */
export function prepareLease<S extends TableShape & typeof LEASE, Id extends keyof S & string>(
  preparation: Preparation,
  { table, id }: Queue<S, Id>,
) {
  const { queries, items, now } = preparation;
  const lease = define((param: Param<Lease & { rows: JsonRows<Item<S, Id>>; now: Instant }>) =>
    queries
      .updateTable(table.name as 'ph_resume_task')
      .from(items(param('rows'), pickColumns(table.columns, [id])) as never)
      .set({
        lease_token: param('token'),
        lease_until: leaseEnd(preparation, param('now'), param('forMs')),
      })
      .whereRef(`${table.name}.${id}` as 'application_id', '=', `item.${id}` as 'application_id'),
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
  const { queries, lockFreeRows, now } = preparation;
  const { table, id } = queue;
  type Params = SenderParams & { dueBy: Instant; now: Instant; limit: number };
  const findDue = define((param: Param<Params>) =>
    queries
      .selectFrom(table.name as 'ph_resume_task')
      .selectAll()
      .where('due_at', '<=', param('dueBy'))
      .where('lease_until', '<=', leaseClock(preparation, param('now')))
      .$if(isSent, (query) =>
        query.where(maySend(preparation, param as Param<SenderParams>), '=', sql.lit(1)),
      )
      .orderBy('due_at')
      .orderBy(id as 'application_id')
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
  { queries, items }: Preparation,
  { table, id }: Queue<S, Id>,
) {
  return define((param: Param<{ rows: JsonRows<Item<S, Id>>; token: string }>) =>
    queries
      .deleteFrom(table.name as 'ph_resume_task')
      .where(id as 'application_id', 'in', (eb) =>
        eb.selectFrom(items(param('rows'), pickColumns(table.columns, [id]))).select(`item.${id}` as never),
      )
      .where('lease_token', '=', param('token')),
  );
}
