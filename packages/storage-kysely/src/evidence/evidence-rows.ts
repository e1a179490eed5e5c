import type { EventSuccess, EvidenceBatch, Instant } from '@partner-hiring/core/ports';
import type { Row } from '../table.js';
import { DELIVERY_EVIDENCE, type StoredSuccess } from '../tables/index.js';

type EvidenceRow = Row<typeof DELIVERY_EVIDENCE>;

/** Returns no row for a batch without successes. */
export function fromBatch({ keyId, kind, successes }: EvidenceBatch): readonly EvidenceRow[] {
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

/** Returns the success of each event in the row, by the event's stamp. */
export function toSuccesses(row: EvidenceRow): ReadonlyMap<Instant, EventSuccess> {
  const { firstAt, cycle, body } = DELIVERY_EVIDENCE.toValue(row);
  return new Map(
    body.map(([sinceFirst, untilEnd, status, latencyMs, attempts]) => {
      const eventAt = firstAt + sinceFirst;
      return [eventAt, { eventAt, deliveredAt: eventAt + untilEnd, status, latencyMs, attempts, cycle }];
    }),
  );
}
