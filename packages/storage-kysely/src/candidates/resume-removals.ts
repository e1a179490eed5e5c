import type {
  ApplicationId,
  Instant,
  Lease,
  ResumeRemoval,
  ResumeRemovalRepository,
} from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import { defineInsert, lookUpEach } from '../batch.js';
import type { Columns, JsonRows } from '../dialect.js';
import { inOrder } from '../in-order.js';
import { leaseClock, leaseEnd } from '../lease-clock.js';
import type { Prepare } from '../preparation.js';
import type { LeaseColumns, ResumeRemovalTable } from '../schema.js';
import { define, type Param } from '../statement.js';

type RemovalRow = Omit<ResumeRemovalTable, keyof LeaseColumns>;

const COLUMNS: Columns<RemovalRow> = {
  application_id: 'text',
  location: 'text',
  attempts: 'integer',
  due_at: 'integer',
};

interface RemovalItem {
  readonly application_id: ApplicationId;
}

interface TakenRows extends Lease {
  readonly rows: JsonRows<RemovalItem>;
  readonly now: Instant;
}

type PostponedItem = Omit<RemovalRow, 'location'>;

const ITEM: Columns<RemovalItem> = { application_id: 'text' };

const MOST_COUNTED = 10_000;

export const prepareResumeRemovals: Prepare<ResumeRemovalRepository> = (preparation) => {
  const { queries, items, lockFreeRows, now } = preparation;
  const add = defineInsert(preparation, {
    table: 'ph_resume_removal',
    columns: COLUMNS,
    finish: (insert) =>
      insert.onConflict((conflict) =>
        conflict.column('application_id').doUpdateSet((eb) => ({
          location: eb.ref('excluded.location'),
          attempts: eb.ref('excluded.attempts'),
          due_at: eb.ref('excluded.due_at'),
        })),
      ),
  });
  const find = define((param: Param<{ rows: JsonRows<RemovalItem> }>) =>
    lookUpEach(preparation, param('rows'), ITEM, (item) =>
      queries
        .selectFrom('ph_resume_removal')
        .selectAll()
        .where('application_id', '=', item('application_id')),
    ),
  );
  const count = define(() =>
    queries
      .selectFrom(
        queries
          .selectFrom('ph_resume_removal as removal')
          .innerJoin('ph_application as application', 'application.id', 'removal.application_id')
          .select('application.erased_at')
          .orderBy('removal.due_at')
          .orderBy('removal.application_id')
          .limit(sql.lit(MOST_COUNTED))
          .as('first'),
      )
      .select(({ fn }) => [fn.countAll<number>().as('waiting'), fn.min('first.erased_at').as('oldest')]),
  );
  const findDue = define((param: Param<{ dueBy: Instant; now: Instant; limit: number }>) =>
    queries
      .selectFrom('ph_resume_removal')
      .selectAll()
      .where('due_at', '<=', param('dueBy'))
      .where('lease_until', '<=', leaseClock(preparation, param('now')))
      .orderBy('due_at')
      .orderBy('application_id')
      .limit(param('limit'))
      .$call(lockFreeRows),
  );
  const lease = define((param: Param<TakenRows>) =>
    queries
      .updateTable('ph_resume_removal')
      .from(items(param('rows'), ITEM))
      .set({
        lease_token: param('token'),
        lease_until: leaseEnd(preparation, param('now'), param('forMs')),
      })
      .whereRef('ph_resume_removal.application_id', '=', 'item.application_id'),
  );
  const finish = define((param: Param<{ rows: JsonRows<RemovalItem>; token: string }>) =>
    queries
      .deleteFrom('ph_resume_removal')
      .where('application_id', 'in', (eb) =>
        eb.selectFrom(items(param('rows'), ITEM)).select('item.application_id'),
      )
      .where('lease_token', '=', param('token')),
  );
  const postpone = define((param: Param<{ rows: JsonRows<PostponedItem>; token: string }>) =>
    queries
      .updateTable('ph_resume_removal')
      .from(items(param('rows'), { ...ITEM, attempts: 'integer', due_at: 'integer' }))
      .set((eb) => ({
        attempts: eb.ref('item.attempts'),
        due_at: eb.ref('item.due_at'),
        lease_token: null,
        lease_until: eb.lit(0),
      }))
      .whereRef('ph_resume_removal.application_id', '=', 'item.application_id')
      .where('lease_token', '=', param('token')),
  );

  return (session) => ({
    add: (removals) =>
      session.write(async (run) => {
        await run.batch(add, removals.map(fromRemoval), {});
      }),
    find: (ids) =>
      session.read(async (run) => {
        const { rows } = await run.batch(find, ids.map(toItem), {});
        return inOrder(ids, rows, (row) => row.application_id, toRemoval);
      }),
    counts: () =>
      session.read(async (run) => {
        const row = await run.first(count, {});
        return { waiting: row?.waiting ?? 0, oldestErasedAt: row?.oldest ?? null };
      }),
    claim: ({ token, forMs }, dueBy, limit) =>
      session.write(async (run) => {
        const due = await run.all(findDue, { dueBy, now: now(), limit });
        const taken = due.map(({ application_id }) => ({ application_id }));
        await run.batch(lease, taken, { token, forMs, now: now() });
        return due.map(toRemoval);
      }),
    finish: (ids, token) =>
      session.write(async (run) => {
        await run.batch(finish, ids.map(toItem), { token });
      }),
    postpone: (removals, token) =>
      session.write(async (run) => {
        const rows = removals.map(({ applicationId, attempts, dueAt }) => ({
          ...{ application_id: applicationId, attempts, due_at: dueAt },
        }));
        await run.batch(postpone, rows, { token });
      }),
  });
};

function toItem(id: ApplicationId): RemovalItem {
  return { application_id: id };
}

function fromRemoval({ applicationId, location, attempts, dueAt }: ResumeRemoval): RemovalRow {
  return { application_id: applicationId, location, attempts, due_at: dueAt };
}

function toRemoval(row: ResumeRemovalTable): ResumeRemoval {
  return {
    applicationId: row.application_id,
    location: row.location,
    attempts: row.attempts,
    dueAt: row.due_at,
  };
}
