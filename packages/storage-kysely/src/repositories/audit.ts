import type {
  Act,
  AuditId,
  AuditObjectKind,
  AuditRepository,
  Instant,
  NewAuditEntry,
} from '@partner-hiring/core/ports';
import { type ExpressionBuilder, sql } from 'kysely';
import { defineInsert } from '../batch.js';
import { NO_ID } from '../feed-page.js';
import { mergeRanges, type Range, type RangeOrder } from '../merged-ranges.js';
import type { Preparation, Prepare } from '../preparation.js';
import type { Schema } from '../schema.js';
import { define, type Param, WRITTEN } from '../statement.js';
import type { Row } from '../table.js';
import { AUDIT } from '../tables/index.js';

interface ListParams {
  readonly since: Instant;
  readonly beforeAt: Instant;
  readonly beforeId: AuditId;
  readonly limit: number;
}

const NEWEST_FIRST = { columns: ['at', 'id'], direction: 'desc' } as const satisfies RangeOrder;

/** The number of objects that an entry shows. The others only serve to find the entry. */
const OBJECTS_NAMED = 20;

export const prepareAudit: Prepare<AuditRepository> = (preparation) => {
  const add = defineInsert(preparation, { table: AUDIT });
  const bindList = prepareAuditLists(preparation);
  const sweep = defineAuditSweep(preparation);

  return (session) => ({
    ...bindList(session),
    add: (entries) =>
      session.write(async (run) => {
        await run.batch(add, entries.flatMap(rowsOf), {});
      }),
    sweep: (before, limit) => session.write((run) => run.count(sweep, { before, limit })),
  });
};

const prepareAuditLists: Prepare<Pick<AuditRepository, 'list'>> = (preparation) => {
  const { queries } = preparation;
  const entries = queries.selectFrom('ph_audit').selectAll();
  // The number is a literal, because the planner does not match a parameter to a partial index.
  const main = entries.where('number', '=', sql.lit(0));
  const newest = (range: typeof entries, param: Param<ListParams>) =>
    mergeRanges(
      preparation,
      [
        range.where('at', '>=', param('since')).where((where) => isBefore(where, param)) as unknown as Range<
          Row<typeof AUDIT>
        >,
      ],
      NEWEST_FIRST,
      param('limit'),
    );
  const list = define((param: Param<ListParams>) => newest(main, param));
  const listByActor = define((param: Param<ListParams & { actorId: string }>) =>
    newest(main.where('actor_id', '=', param('actorId')), param as Param<ListParams>),
  );
  const listByAct = define((param: Param<ListParams & { act: Act }>) =>
    newest(main.where('act', '=', param('act')), param as Param<ListParams>),
  );
  const listByObject = define((param: Param<ListParams & { kind: AuditObjectKind; objectId: string }>) =>
    newest(
      entries.where('object_kind', '=', param('kind')).where('object_id', '=', param('objectId')),
      param as Param<ListParams>,
    ),
  );

  return (session) => ({
    list: ({ selection, since, until, after, limit }) =>
      session.read(async (run) => {
        const end = until ?? Number.MAX_SAFE_INTEGER;
        const start = after ?? ({ at: end, id: NO_ID } as const);
        const values = { since, beforeAt: start.at, beforeId: start.id, limit };
        switch (selection.by) {
          case 'all':
            return (await run.all(list, values)).map(AUDIT.toValue);
          case 'actor':
            return (await run.all(listByActor, { ...values, actorId: selection.actorId })).map(AUDIT.toValue);
          case 'act':
            return (await run.all(listByAct, { ...values, act: selection.act })).map(AUDIT.toValue);
          case 'object': {
            const { kind, id: objectId } = selection.object;
            return (await run.all(listByObject, { ...values, kind, objectId })).map(AUDIT.toValue);
          }
        }
      }),
  });
};

/** Comparing a pair of columns lets the database read one range of the index. Each id is greater than ''. */
function isBefore(where: ExpressionBuilder<Schema, 'ph_audit'>, param: Param<ListParams>) {
  return where(where.refTuple('at', 'id'), '<', where.tuple(param('beforeAt'), param('beforeId')));
}

/** Deletes the row of the main object last, because it leads to the other rows. */
function defineAuditSweep({ queries }: Preparation) {
  return define((param: Param<{ before: Instant; limit: number }>) =>
    queries
      .deleteFrom('ph_audit')
      .where((where) =>
        where(
          where.refTuple('id', 'number'),
          'in',
          queries
            .selectFrom(
              queries
                .selectFrom('ph_audit as old')
                .select('old.id')
                .where('old.number', '=', sql.lit(0))
                .where('old.at', '<', param('before'))
                .orderBy('old.at')
                .orderBy('old.id')
                .limit(param('limit'))
                .as('oldest'),
            )
            .innerJoin('ph_audit as each', 'each.id', 'oldest.id')
            .select(['each.id', 'each.number'])
            .orderBy('each.id')
            .orderBy('each.number', 'desc')
            .limit(param('limit'))
            .$asTuple('id', 'number'),
        ),
      )
      .returning(WRITTEN),
  );
}

function rowsOf({ allObjects, ...entry }: NewAuditEntry): readonly Row<typeof AUDIT>[] {
  const row = AUDIT.toRow({ ...entry, objects: allObjects.slice(0, OBJECTS_NAMED) });
  return allObjects.map(({ kind, id }, number) => ({ ...row, number, object_kind: kind, object_id: id }));
}
