import {
  attemptToKeep,
  type DeliveryRepository,
  type EventId,
  type Instant,
  type KeyId,
  type StoredDelivery,
} from '@partner-hiring/core/ports';
import { defineInsert, replace } from '../batch.js';
import { NO_ID } from '../feed-page.js';
import { beyond } from '../merged-ranges.js';
import type { Preparation, Prepare } from '../preparation.js';
import { define, type Param } from '../statement.js';
import type { Row } from '../table.js';
import { ATTEMPTS } from '../tables/index.js';

interface ListParams {
  readonly keyId: KeyId;
  readonly from: Instant;
  readonly endedAt: Instant;
  readonly eventId: EventId;
  readonly number: number;
  readonly limit: number;
}

const START = { endedAt: Number.MAX_SAFE_INTEGER, eventId: NO_ID, number: 0 } as const;

/** Saves attempts. An attempt replaces a saved one with the same number, 1 to 10. So a delivery has at most ten. */
export function defineSaveAttempts(preparation: Preparation) {
  return defineInsert(preparation, {
    table: ATTEMPTS,
    finish: (insert) => insert.onConflict(replace(ATTEMPTS, ['key_id', 'event_id', 'number'])),
  });
}

export function attemptsToKeep(delivery: StoredDelivery): readonly Row<typeof ATTEMPTS>[] {
  const attempt = attemptToKeep(delivery);
  return attempt === null ? [] : [ATTEMPTS.toRow(attempt)];
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
      .where(beyond('<', { ended_at: param('endedAt'), event_id: param('eventId'), number: param('number') }))
      .orderBy('ended_at', 'desc')
      .orderBy('event_id', 'desc')
      .orderBy('number', 'desc')
      .limit(param('limit')),
  );

  return {
    findAttempts: (session, keyId, eventId) =>
      session.read((run) => run.list(find, { keyId, eventId }, ATTEMPTS.toValue)),
    listAttempts: (session, { keyId, from = 0, after = START, limit }) =>
      session.read(async (run) => {
        const { endedAt, eventId, number } = after;
        return run.list(list, { keyId, from, endedAt, eventId, number, limit }, ATTEMPTS.toValue);
      }),
  };
};
