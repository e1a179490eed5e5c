import type {
  EventStamp,
  EventSuccess,
  EvidenceRepository,
  Instant,
  KeyId,
} from '@partner-hiring/core/ports';
import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely';
import { defineInsert, forEachItem, lookUpEach } from '../batch.js';
import type { Columns, JsonRows } from '../dialect.js';
import type { Prepare } from '../preparation.js';
import type { Schema } from '../schema.js';
import { define, type Param } from '../statement.js';
import type { Row } from '../table.js';
import { DELIVERY_EVIDENCE } from '../tables/index.js';
import { fromBatch, toSuccesses } from './evidence-rows.js';
import { prepareEvidenceSweep } from './evidence-sweep.js';

interface StampItem {
  readonly key_id: KeyId;
  readonly at: Instant;
}

const STAMP_COLUMNS: Columns<StampItem> = { key_id: 'text', at: 'integer' };

/** How many replaced successes of an event to read. A host may redeliver an event any number of times. */
const MOST_REPLACED = 10;

export const prepareEvidence: Prepare<EvidenceRepository> = (preparation) => {
  const { queries } = preparation;
  const bindSweep = prepareEvidenceSweep(preparation);
  // A conflict must not fail a settlement: the worker would repeat its deliveries forever.
  const append = defineInsert(preparation, {
    table: DELIVERY_EVIDENCE,
    finish: (insert) => insert.onConflict((conflict) => conflict.doNothing()),
  });
  // The ranges of a key's first attempts do not overlap, so only the first one that ends at or after the event can
  // cover it.
  const findCovering = define((param: Param<{ rows: JsonRows<StampItem> }>) =>
    lookUpEach(preparation, param('rows'), STAMP_COLUMNS, (item) =>
      queries
        .selectFrom('ph_delivery_evidence')
        .selectAll()
        .where('key_id', '=', item('key_id'))
        .where('replaced', '=', sql.lit(0))
        .where('last_at', '>=', item('at'))
        .orderBy('last_at'),
    ),
  );
  const findReplaced = define((param: Param<{ rows: JsonRows<StampItem> }>) =>
    forEachItem(preparation, param('rows'), STAMP_COLUMNS, (item) =>
      queries
        .selectFrom('ph_delivery_evidence')
        .selectAll()
        .where('key_id', '=', item('key_id'))
        // Pairs, because many keys may share a stamp: `last_at = …` would lead PostgreSQL to the index by age.
        .where((where) => where(where.refTuple('replaced', 'last_at'), '>=', replacedAt(where, item('at'))))
        .where((where) => where(where.refTuple('replaced', 'last_at'), '<=', replacedAt(where, item('at'))))
        .orderBy('cycle', 'desc')
        .limit(sql.lit(MOST_REPLACED)),
    ),
  );

  return (session) => ({
    ...bindSweep(session),
    append: (batches) =>
      session.write(async (run) => {
        await run.batch(append, batches.flatMap(fromBatch), {});
      }),
    find: (events) =>
      session.read(async (run) => {
        const stamps = events.map(({ keyId, at }) => ({ key_id: keyId, at }));
        const [covering, replaced] = await Promise.all([
          run.batch(findCovering, stamps, {}),
          run.batch(findReplaced, stamps, {}),
        ]);
        return pickSuccesses(events, [...covering.rows, ...replaced.rows]);
      }),
  });
};

function replacedAt(where: ExpressionBuilder<Schema, 'ph_delivery_evidence'>, at: RawBuilder<Instant>) {
  return where.tuple(where.lit(1), at) as never;
}

/** Reads each row once, although it may cover several of the events. */
function pickSuccesses(
  events: readonly EventStamp[],
  rows: readonly Row<typeof DELIVERY_EVIDENCE>[],
): readonly (readonly EventSuccess[])[] {
  const distinct = new Map(
    rows.map((row) => [`${row.key_id} ${row.replaced} ${row.last_at} ${row.cycle}`, row]),
  );
  const found = new Map<string, EventSuccess[]>();
  for (const row of distinct.values()) {
    for (const [at, success] of toSuccesses(row)) {
      const name = nameOf(row.key_id, at);
      found.set(name, [...(found.get(name) ?? []), success]);
    }
  }
  return events.map(({ keyId, at }) =>
    (found.get(nameOf(keyId, at)) ?? []).toSorted((a, b) => a.cycle - b.cycle),
  );
}

function nameOf(keyId: KeyId, at: Instant): string {
  return `${keyId} ${at}`;
}
