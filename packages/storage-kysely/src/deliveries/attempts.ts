import { attemptToKeep } from '@partner-hiring/core';
import type {
  AttemptOutcome,
  AttemptRecord,
  Delivery,
  DeliveryRepository,
  EventId,
  Instant,
  KeyId,
} from '@partner-hiring/core/ports';
import { defineInsert } from '../batch.js';
import type { Columns } from '../dialect.js';
import type { Preparation, Prepare } from '../preparation.js';
import type { AttemptTable } from '../schema.js';
import { define, type Param } from '../statement.js';

const ATTEMPT_COLUMNS: Columns<AttemptTable> = {
  key_id: 'text',
  event_id: 'text',
  number: 'integer',
  cycle: 'integer',
  ended_at: 'integer',
  latency_ms: 'integer',
  outcome: 'text',
};

interface ListParams {
  readonly keyId: KeyId;
  readonly from: Instant;
  readonly endedAt: Instant;
  readonly eventId: EventId | '';
  readonly number: number;
  readonly limit: number;
}

const START = { endedAt: Number.MAX_SAFE_INTEGER, eventId: '', number: 0 } as const;

/** Saves attempts. An attempt replaces a saved one with the same number, so a delivery has at most ten. */
export function defineSaveAttempts(preparation: Preparation) {
  return defineInsert(preparation, {
    table: 'ph_attempt',
    columns: ATTEMPT_COLUMNS,
    finish: (insert) =>
      insert.onConflict((conflict) =>
        conflict.columns(['key_id', 'event_id', 'number']).doUpdateSet((eb) => ({
          cycle: eb.ref('excluded.cycle'),
          ended_at: eb.ref('excluded.ended_at'),
          latency_ms: eb.ref('excluded.latency_ms'),
          outcome: eb.ref('excluded.outcome'),
        })),
      ),
  });
}

export function attemptsToKeep(delivery: Delivery): readonly AttemptTable[] {
  const attempt = attemptToKeep(delivery);
  if (attempt === null) return [];
  return [
    {
      key_id: attempt.keyId,
      event_id: attempt.eventId,
      number: attempt.number,
      cycle: attempt.cycle,
      ended_at: attempt.endedAt,
      latency_ms: attempt.latencyMs,
      outcome: JSON.stringify(attempt.outcome),
    },
  ];
}

export const prepareAttempts: Prepare<Pick<DeliveryRepository, 'findAttempts' | 'listAttempts'>> = ({
  queries,
}) => {
  const find = define((param: Param<{ keyId: KeyId; eventId: EventId }>) =>
    queries
      .selectFrom('ph_attempt')
      .selectAll()
      .where('key_id', '=', param('keyId'))
      .where('event_id', '=', param('eventId'))
      .orderBy('cycle')
      .orderBy('number'),
  );
  const list = define((param: Param<ListParams>) =>
    queries
      .selectFrom('ph_attempt')
      .selectAll()
      .where('key_id', '=', param('keyId'))
      .where('ended_at', '>=', param('from'))
      .where((where) =>
        where(
          where.refTuple('ended_at', 'event_id', 'number'),
          '<',
          where.tuple(param('endedAt'), param('eventId') as never, param('number')),
        ),
      )
      .orderBy('ended_at', 'desc')
      .orderBy('event_id', 'desc')
      .orderBy('number', 'desc')
      .limit(param('limit')),
  );

  return (session) => ({
    findAttempts: (keyId, eventId) =>
      session.read(async (run) => (await run.all(find, { keyId, eventId })).map(toAttempt)),
    listAttempts: ({ keyId, from = 0, after = START, limit }) =>
      session.read(async (run) => {
        const { endedAt, eventId, number } = after;
        return (await run.all(list, { keyId, from, endedAt, eventId, number, limit })).map(toAttempt);
      }),
  });
};

function toAttempt(row: AttemptTable): AttemptRecord {
  return {
    keyId: row.key_id,
    eventId: row.event_id,
    number: row.number,
    cycle: row.cycle,
    endedAt: row.ended_at,
    latencyMs: row.latency_ms,
    outcome: JSON.parse(row.outcome) as AttemptOutcome,
  };
}
