import type {
  Act,
  AuditEntry,
  AuditId,
  AuditObject,
  AuditObjectKind,
  AuditRepository,
  Instant,
  NewAuditEntry,
} from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import { defineInsert } from '../../batch.js';
import { NO_ID } from '../../feed-page.js';
import { defineLookUps, type Item } from '../../look-ups.js';
import { beyond, mergeRanges, type Range, type RangeOrder } from '../../merged-ranges.js';
import type { Preparation, Prepare } from '../../preparation.js';
import type { Session } from '../../session.js';
import { define, type Param, WRITTEN } from '../../statement.js';
import type { Row } from '../../table.js';
import { AUDIT } from './table.js';

interface ListParams {
  readonly since: Instant;
  readonly beforeAt: Instant;
  readonly beforeId: AuditId;
  readonly limit: number;
}

const NEWEST_FIRST = { columns: ['at', 'id'], direction: 'desc' } as const satisfies RangeOrder;

/** The number of objects that an entry shows. `listObjects` has the others. */
const OBJECTS_NAMED = 20;

export const prepareAudit: Prepare<AuditRepository> = (preparation) => {
  const add = defineInsert(preparation, { table: AUDIT });
  const findMains = prepareFindMains(preparation);
  const { grow, setGrown, listObjects } = prepareGrowth(preparation);
  const sweep = defineAuditSweep(preparation);

  return {
    ...prepareAuditLists(preparation),
    add: (session, entries) => session.write((run) => run.each(add, entries.flatMap(rowsOf), {})),
    grow: (session, entry) =>
      session.write(async (run) => {
        const known = await run.first(grow, { id: entry.id });
        if (known === null) return run.each(add, rowsOf(entry), {});
        const named: readonly AuditObject[] = JSON.parse(known.objects);
        const isNamed = ({ kind, id }: AuditObject) =>
          named.some((each) => each.kind === kind && each.id === id);
        const more = entry.allObjects.filter((object) => !isNamed(object));
        await run.execute(setGrown, {
          id: entry.id,
          objects: JSON.stringify([...named, ...more].slice(0, OBJECTS_NAMED)),
          count: entry.count === null ? known.count : (known.count ?? 0) + entry.count,
          after: entry.after === null ? known.after : JSON.stringify(entry.after),
        });
        await run.each(add, otherRowsOf(entry, more, known.last + 1), {});
      }),
    find: async (session, id) => (await findMains(session, [id])).get(id) ?? null,
    listObjects: (session, id, { after, limit }) =>
      session.read((run) =>
        run.list(
          listObjects,
          { id, after: after ?? -1, limit },
          ({ number, at, object_kind: kind, object_id }) => ({ number, at, object: { kind, id: object_id } }),
        ),
      ),
    sweep: (session, before, limit) => session.write((run) => run.count(sweep, { before, limit })),
  };
};

const prepareAuditLists: Prepare<Pick<AuditRepository, 'list'>> = (preparation) => {
  const { queries } = preparation;
  const findMains = prepareFindMains(preparation);
  const entries = queries.selectFrom('ph_audit').selectAll();
  // The number is a literal, because the planner does not match a parameter to a partial index.
  const main = entries.where('number', '=', sql.lit(0));
  const newest = (range: typeof entries, param: Param<ListParams>) =>
    mergeRanges(
      preparation,
      [
        range
          .where('at', '>=', param('since'))
          .where(beyond('<', { at: param('beforeAt'), id: param('beforeId') })) as unknown as Range<
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

  return {
    list: async (session, { selection, since, until, after, limit }) => {
      const end = until ?? Number.MAX_SAFE_INTEGER;
      const start = after ?? ({ at: end, id: NO_ID } as const);
      const values = { since, beforeAt: start.at, beforeId: start.id, limit };
      if (selection.by === 'object') {
        const { kind, id: objectId } = selection.object;
        const rows = await session.read((run) => run.all(listByObject, { ...values, kind, objectId }));
        return withMain(session, rows);
      }
      return session.read(async (run) => {
        switch (selection.by) {
          case 'all':
            return run.list(list, values, AUDIT.toValue);
          case 'actor':
            return run.list(listByActor, { ...values, actorId: selection.actorId }, AUDIT.toValue);
          case 'act':
            return run.list(listByAct, { ...values, act: selection.act }, AUDIT.toValue);
        }
      });
    },
  };

  /** Only the row of the main object has all that an entry contains. */
  async function withMain(session: Session, rows: readonly Row<typeof AUDIT>[]) {
    const mains = await findMains(
      session,
      rows.flatMap(({ id, number }) => (number > 0 ? [id] : [])),
    );
    return rows.map((row) => ({ ...(mains.get(row.id) ?? AUDIT.toValue(row)), at: row.at }));
  }
};

/** Finds the rows of main objects, which have all that an entry contains. */
function prepareFindMains(preparation: Preparation) {
  const { queries } = preparation;
  const mains = defineLookUps(preparation, { id: 'text' }, (item: Item<{ id: AuditId }>) =>
    queries.selectFrom('ph_audit').selectAll().where('id', '=', item('id')).where('number', '=', 0),
  );
  return (session: Session, ids: readonly AuditId[]): Promise<ReadonlyMap<AuditId, AuditEntry>> =>
    session.read(async (run) => {
      const items = [...new Set(ids)].map((id) => ({ id }));
      const { rows } = await run.batch(mains, items, {});
      return new Map(rows.map((row) => [row.id, AUDIT.toValue(row)]));
    });
}

/** What `grow` and `listObjects` need. Both read a range of the primary key. */
function prepareGrowth(preparation: Preparation) {
  const { queries } = preparation;
  const grow = define((param: Param<{ id: AuditId }>) =>
    queries
      .selectFrom('ph_audit as main')
      .select(['main.objects', 'main.count', 'main.after'])
      .select(
        queries
          .selectFrom('ph_audit as each')
          .select('each.number')
          .where('each.id', '=', param('id'))
          .orderBy('each.id', 'desc')
          .orderBy('each.number', 'desc')
          .limit(sql.lit(1))
          .$asScalar()
          .$notNull()
          .as('last'),
      )
      .where('main.id', '=', param('id'))
      .where('main.number', '=', 0),
  );
  const setGrown = define((param: Param<Pick<Row<typeof AUDIT>, 'id' | 'objects' | 'count' | 'after'>>) =>
    queries
      .updateTable('ph_audit')
      .set({ objects: param('objects'), count: param('count'), after: param('after') })
      .where('id', '=', param('id'))
      .where('number', '=', 0),
  );
  const listObjects = define((param: Param<{ id: AuditId; after: number; limit: number }>) =>
    queries
      .selectFrom('ph_audit')
      .select(['number', 'at', 'object_kind', 'object_id'])
      .where('id', '=', param('id'))
      .where('number', '>', param('after'))
      .orderBy('number')
      .limit(param('limit')),
  );
  return { grow, setGrown, listObjects };
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

function rowsOf(entry: NewAuditEntry): readonly Row<typeof AUDIT>[] {
  const { allObjects, ...rest } = entry;
  const [main, ...others] = allObjects;
  if (main === undefined) return [];
  const row = AUDIT.toRow({ ...rest, objects: allObjects.slice(0, OBJECTS_NAMED) });
  const mainRow = { ...row, number: 0, object_kind: main.kind, object_id: main.id };
  return [mainRow, ...otherRowsOf(entry, others, 1)];
}

/** These rows only lead to the row of the main object, which has the fields that are left out. */
function otherRowsOf(
  { allObjects: _, ...entry }: NewAuditEntry,
  objects: readonly AuditObject[],
  from: number,
): readonly Row<typeof AUDIT>[] {
  const row = AUDIT.toRow({ ...entry, objects: [], count: null, filter: null, before: null, after: null });
  return objects.map(({ kind, id }, index) => ({
    ...row,
    number: from + index,
    object_kind: kind,
    object_id: id,
  }));
}
