import type { EventSuccess, EvidenceBatch, Instant } from '@partner-hiring/core/ports';
import type { Columns } from '../dialect.js';
import type { DeliveryEvidenceTable } from '../schema.js';

export const EVIDENCE_COLUMNS: Columns<DeliveryEvidenceTable> = {
  key_id: 'text',
  replaced: 'integer',
  last_at: 'integer',
  cycle: 'integer',
  first_at: 'integer',
  body: 'text',
};

/** The differences keep the body short: a row has about 20 bytes for each success. */
type StoredSuccess = readonly [
  sinceFirst: number,
  untilEnd: number,
  status: number,
  latencyMs: number,
  attempts: number,
];

/** Returns no row for a batch without successes. */
export function fromBatch({ keyId, kind, successes }: EvidenceBatch): readonly DeliveryEvidenceTable[] {
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
    {
      key_id: keyId,
      replaced: kind === 'replaced' ? 1 : 0,
      last_at: last.eventAt,
      cycle: first.cycle,
      first_at: first.eventAt,
      body: JSON.stringify(stored),
    },
  ];
}

/** Returns the success of each event in the row, by the event's stamp. */
export function toSuccesses({
  first_at: firstAt,
  cycle,
  body,
}: DeliveryEvidenceTable): ReadonlyMap<Instant, EventSuccess> {
  const stored = JSON.parse(body) as readonly StoredSuccess[];
  return new Map(
    stored.map(([sinceFirst, untilEnd, status, latencyMs, attempts]) => {
      const eventAt = firstAt + sinceFirst;
      return [eventAt, { eventAt, deliveredAt: eventAt + untilEnd, status, latencyMs, attempts, cycle }];
    }),
  );
}
