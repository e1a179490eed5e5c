import type {
  EventStamp,
  EventSuccess,
  EvidenceBatch,
  EvidenceRepository,
  Instant,
  KeyId,
} from '@partner-hiring/core/ports';
import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely';
import { defineInsert } from '../batch.js';
import type { TableColumns } from '../dialect.js';
import { defineEach, defineLookUps, type Item } from '../look-ups.js';
import { pairKey } from '../mapping.js';
import type { Prepare } from '../preparation.js';
import type { Schema } from '../schema.js';
import type { Session } from '../session.js';
import { define, type Param, WRITTEN } from '../statement.js';
import { createSweepPosition, type FromSweepPosition, fromSweepPosition } from '../sweep-position.js';
import type { Row } from '../table.js';
import { DELIVERY_EVIDENCE, type StoredSuccess, toSuccesses } from '../tables/index.js';

type EvidenceRow = Row<typeof DELIVERY_EVIDENCE>;

/** Returns no row for a batch without successes. */
function fromBatch({ keyId, kind, successes }: EvidenceBatch): readonly EvidenceRow[] {
  const sorted = successes.toSorted((a, b) => a.eventAt - b.eventAt);
  const [first] = sorted;
  const last = sorted.at(-1);
  if (first === undefined || last === undefined) return [];
  const stored = sorted.map(
    ({ eventAt, deliveredAt, status, latencyMs, attempts }): StoredSuccess => [
      eventAt - first.eventAt,
      deliveredAt - eventAt,
      status,
      latencyMs,
      attempts,
    ],
  );
  return [
    DELIVERY_EVIDENCE.toRow({
      keyId,
      replaced: kind === 'replaced',
      lastAt: last.eventAt,
      cycle: first.cycle,
      firstAt: first.eventAt,
      body: stored,
    }),
  ];
}

/** Stops a sweep after this many batches that deleted nothing: the evidence of a kept event, such as a dead letter, stays. */
const MAX_EMPTY_BATCHES = 10;

/** Deletes evidence after its events. Walks over all old rows, so that kept rows do not block those behind them. */
const prepareEvidenceSweep: Prepare<Pick<EvidenceRepository, 'sweep'>> = ({ queries, now }) => {
  const evidence = queries.selectFrom('ph_delivery_evidence');
  const findOldest = define((param: Param<FromSweepPosition>) =>
    fromSweepPosition(evidence.select('last_at as at'), 'last_at', param),
  );
  const sweep = define((param: Param<FromSweepPosition & { before: Instant }>) =>
    queries
      .deleteFrom('ph_delivery_evidence')
      .where((eb) =>
        eb(
          eb.refTuple('key_id', 'replaced', 'last_at', 'cycle'),
          'in',
          fromSweepPosition(
            evidence.select(['key_id', 'replaced', 'last_at', 'cycle']),
            'last_at',
            param,
          ).$asTuple('key_id', 'replaced', 'last_at', 'cycle'),
        ),
      )
      .where('last_at', '<', param('before'))
      // Compares a value with null, because for `not exists` the planner may read all events.
      .where(
        (eb) =>
          eb
            .selectFrom('ph_event as event')
            .select('event.at')
            .whereRef('event.key_id', '=', 'ph_delivery_evidence.key_id')
            .whereRef('event.at', '>=', 'ph_delivery_evidence.first_at')
            .whereRef('event.at', '<=', 'ph_delivery_evidence.last_at')
            .orderBy('event.at')
            .limit(sql.lit(1)),
        'is',
        null,
      )
      .returning(WRITTEN),
  );
  const position = createSweepPosition(now);
  /** Where the walk continues. Null if it starts again at the position. */
  let reached: Instant | null = null;

  /** Returns null if there may be more old rows and no row of this batch was deleted. */
  async function sweepBatch(session: Session, before: Instant, limit: number): Promise<number | null> {
    const from: Instant = reached ?? position.at();
    const rows = await session.read((run) => run.all(findOldest, { from, limit }));
    const [first] = rows;
    if (first !== undefined && reached === null) position.moveTo(first.at);
    const old = rows.filter(({ at }) => at < before);
    const last = old.at(-1);
    reached = last === undefined || old.length < limit ? null : Math.max(last.at, from + 1);
    if (last === undefined) return 0;
    const removed = await session.write((run) => run.count(sweep, { from, before, limit: old.length }));
    return removed > 0 || reached === null ? removed : null;
  }

  return {
    async sweep(session, before, limit) {
      for (let batch = 0; batch < MAX_EMPTY_BATCHES; batch += 1) {
        const removed = await sweepBatch(session, before, limit);
        if (removed !== null) return removed;
      }
      return 0;
    },
  };
};

const STAMP_COLUMNS: TableColumns<{ key_id: KeyId; at: Instant }> = { key_id: 'text', at: 'integer' };

/** The most replaced successes to read of one event, because a host may resend an event any number of times. */
const MOST_REPLACED = 10;

export const prepareEvidence: Prepare<EvidenceRepository> = (preparation) => {
  const { queries } = preparation;
  // A conflict must not fail a settlement: the worker would repeat its deliveries forever.
  const append = defineInsert(preparation, {
    table: DELIVERY_EVIDENCE,
    finish: (insert) => insert.onConflict((conflict) => conflict.doNothing()),
  });
  // The ranges of a key's first attempts do not overlap, so only the first one that ends at or after the event can
  // cover it.
  const findCovering = defineLookUps(
    preparation,
    STAMP_COLUMNS,
    (item: Item<{ key_id: KeyId; at: Instant }>) =>
      queries
        .selectFrom('ph_delivery_evidence')
        .selectAll()
        .where('key_id', '=', item('key_id'))
        .where('replaced', '=', sql.lit(0))
        .where('last_at', '>=', item('at'))
        .orderBy('last_at'),
  );
  const findReplaced = defineEach(preparation, STAMP_COLUMNS, (item: Item<{ key_id: KeyId; at: Instant }>) =>
    queries
      .selectFrom('ph_delivery_evidence')
      .selectAll()
      .where('key_id', '=', item('key_id'))
      // Compares pairs of columns. For `last_at = …`, PostgreSQL would use the index by age, although many keys may
      // share a stamp.
      .where((where) => where(where.refTuple('replaced', 'last_at'), '>=', replacedAt(where, item('at'))))
      .where((where) => where(where.refTuple('replaced', 'last_at'), '<=', replacedAt(where, item('at'))))
      .orderBy('cycle', 'desc')
      .limit(sql.lit(MOST_REPLACED)),
  );

  return {
    ...prepareEvidenceSweep(preparation),
    append: (session, batches) => session.write((run) => run.each(append, batches.flatMap(fromBatch), {})),
    find: (session, events) =>
      session.read(async (run) => {
        const stamps = events.map(({ keyId, at }) => ({ key_id: keyId, at }));
        const [covering, replaced] = await Promise.all([
          run.batch(findCovering, stamps, {}),
          run.batch(findReplaced, stamps, {}),
        ]);
        return pickSuccesses(events, [...covering.rows, ...replaced.rows]);
      }),
  };
};

function replacedAt(where: ExpressionBuilder<Schema, 'ph_delivery_evidence'>, at: RawBuilder<Instant>) {
  return where.tuple(where.lit(1), at) as never;
}

/** Reads each row once, although it may cover several of the events. */
function pickSuccesses(
  events: readonly EventStamp[],
  rows: readonly EvidenceRow[],
): readonly (readonly EventSuccess[])[] {
  const distinct = new Map(
    rows.map((row) => [`${row.key_id} ${row.replaced} ${row.last_at} ${row.cycle}`, row]),
  );
  const found = new Map<string, EventSuccess[]>();
  for (const row of distinct.values()) {
    for (const [at, success] of toSuccesses(row)) {
      const name = pairKey(row.key_id, String(at));
      found.set(name, [...(found.get(name) ?? []), success]);
    }
  }
  return events.map(({ keyId, at }) =>
    (found.get(pairKey(keyId, String(at))) ?? []).toSorted((a, b) => a.cycle - b.cycle),
  );
}
