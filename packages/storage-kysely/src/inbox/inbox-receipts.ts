import type {
  ApplicationId,
  InboxEntry,
  InboxEntryState,
  InboxItemKind,
  InboxQuestion,
  InboxRepository,
  Instant,
  KeyId,
} from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import { defineInsert } from '../batch.js';
import type { Columns } from '../dialect.js';
import type { Preparation, Prepare } from '../preparation.js';
import type { InboxReceiptTable } from '../schema.js';
import type { Session } from '../session.js';
import { define, type Param, WRITTEN } from '../statement.js';
import {
  createSweepPosition,
  type FromSweepPosition,
  fromSweepPosition,
  sweepFrom,
} from '../sweep-position.js';
import { toPostponed } from './inbox-rows.js';

const RECEIPT_COLUMNS: Columns<InboxReceiptTable> = {
  key_id: 'text',
  last_at: 'integer',
  first_at: 'integer',
  received_at: 'integer',
  body: 'text',
};

/** The differences keep the body short. */
type ReceivedEntry = readonly [sinceFirst: number, kind: InboxItemKind, applicationId: ApplicationId];

/** Returns one row for each key. */
export function receiptsOf(
  entries: readonly InboxEntry[],
  receivedAt: Instant,
): readonly InboxReceiptTable[] {
  return [...new Set(entries.map(({ keyId }) => keyId))].map((key_id) => {
    const some = entries.filter(({ keyId }) => keyId === key_id);
    const stamps = some.map(({ at }) => at);
    const first_at = Math.min(...stamps);
    const body = some.map(
      ({ at, kind, applicationId }): ReceivedEntry => [at - first_at, kind, applicationId],
    );
    return {
      key_id,
      first_at,
      last_at: Math.max(...stamps),
      received_at: receivedAt,
      body: JSON.stringify(body),
    };
  });
}

/** A conflict must not fail a hand-over: the host would get its items forever. */
export function defineAddReceipts(preparation: Preparation) {
  return defineInsert(preparation, {
    table: 'ph_inbox_receipt',
    columns: RECEIPT_COLUMNS,
    keyColumns: 2,
    finish: (insert) => insert.onConflict((conflict) => conflict.doNothing()),
  });
}

interface QuestionParams {
  readonly keyId: KeyId;
  readonly from: Instant;
}

/**
 * The entry of a résumé has a stamp soon after its `from`: the stamps between them belong to other changes of the key in
 * the same moment.
 */
export const UNREAD_READ = 50;
/** One consumer can take this many items of a key, and acknowledge them in any order. */
const RECEIPTS_READ = 1_000;

export const prepareReceipts: Prepare<Pick<InboxRepository, 'findEntry' | 'sweepReceipts'>> = (
  preparation,
) => {
  const { queries } = preparation;
  const findUnread = define((param: Param<QuestionParams>) =>
    queries
      .selectFrom('ph_inbox_entry')
      .selectAll()
      .where('key_id', '=', param('keyId'))
      .where('at', '>=', param('from'))
      .orderBy('at')
      .orderBy('application_id')
      .limit(sql.lit(UNREAD_READ)),
  );
  const findReceipts = define((param: Param<QuestionParams>) =>
    queries
      .selectFrom('ph_inbox_receipt')
      .selectAll()
      .where('key_id', '=', param('keyId'))
      .where('last_at', '>=', param('from'))
      .orderBy('last_at')
      .limit(sql.lit(RECEIPTS_READ)),
  );
  const sweep = prepareSweepReceipts(preparation);

  return (session) => ({
    findEntry: (question) =>
      session.read(async (run) => {
        const { keyId, applicationId, from } = question;
        const unread = await run.all(findUnread, { keyId, from });
        const found = unread.find((row) => row.application_id === applicationId);
        if (found !== undefined) {
          const { at, kind, failures, retryAt, parkedAt, lastError } = toPostponed(found);
          const isParked = parkedAt !== null;
          return {
            at,
            kind,
            receivedAt: null,
            failures,
            retryAt: isParked ? null : retryAt,
            parkedAt,
            lastError,
          };
        }
        return findReceived(question, await run.all(findReceipts, { keyId, from }));
      }),
    sweepReceipts: (before, limit) => sweep(session, before, limit),
  });
};

function findReceived(
  { applicationId, from }: InboxQuestion,
  rows: readonly InboxReceiptTable[],
): InboxEntryState | null {
  const received = rows.flatMap(({ first_at, received_at, body }) =>
    (JSON.parse(body) as readonly ReceivedEntry[]).flatMap(([sinceFirst, kind, id]) => {
      const at = first_at + sinceFirst;
      if (id !== applicationId || at < from) return [];
      return {
        at,
        kind,
        receivedAt: received_at,
        failures: 0,
        retryAt: null,
        parkedAt: null,
        lastError: null,
      };
    }),
  );
  const [earliest] = received.sort((a, b) => a.at - b.at);
  return earliest ?? null;
}

function prepareSweepReceipts({ queries, now }: Preparation) {
  const receipts = queries.selectFrom('ph_inbox_receipt');
  const findOldest = define((param: Param<FromSweepPosition>) =>
    fromSweepPosition(receipts.select('received_at as at'), 'received_at', param),
  );
  const remove = define((param: Param<FromSweepPosition>) =>
    queries
      .deleteFrom('ph_inbox_receipt')
      .where((eb) =>
        eb(
          eb.refTuple('key_id', 'last_at'),
          'in',
          fromSweepPosition(receipts.select(['key_id', 'last_at']), 'received_at', param)
            .orderBy('key_id')
            .orderBy('last_at')
            .$asTuple('key_id', 'last_at'),
        ),
      )
      .returning(WRITTEN),
  );
  const position = createSweepPosition(now);
  return (session: Session, before: Instant, limit: number) =>
    sweepFrom(position, {
      find: (from) => session.read((run) => run.all(findOldest, { from, limit })),
      isOver: (at) => at < before,
      remove: (from, count) => session.write((run) => run.count(remove, { from, limit: count })),
    });
}
