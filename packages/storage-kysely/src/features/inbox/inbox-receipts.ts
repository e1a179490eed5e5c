import type {
  InboxEntry,
  InboxEntryState,
  InboxQuestion,
  Instant,
  KeyId,
  Repositories,
} from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import { defineInsert } from '../../batch.js';
import type { Preparation, Prepare } from '../../preparation.js';
import { define, type Param } from '../../statement.js';
import { prepareSweep } from '../../sweep-position.js';
import type { Row } from '../../table.js';
import { INBOX_ENTRIES, INBOX_RECEIPTS, type ReceivedEntry, toReceived } from './table.js';

/** Returns one row for each key. */
export function receiptsOf(
  entries: readonly InboxEntry[],
  receivedAt: Instant,
): readonly Row<typeof INBOX_RECEIPTS>[] {
  return [...new Set(entries.map(({ keyId }) => keyId))].map((key) => {
    const some = entries.filter(({ keyId }) => keyId === key);
    const stamps = some.map(({ at }) => at);
    const firstAt = Math.min(...stamps);
    const body = some.map(
      ({ at, kind, applicationId }): ReceivedEntry => [at - firstAt, kind, applicationId],
    );
    return INBOX_RECEIPTS.toRow({ keyId: key, firstAt, lastAt: Math.max(...stamps), receivedAt, body });
  });
}

/** A conflict must not fail a hand-over: the host would get its items forever. */
export function defineAddReceipts(preparation: Preparation) {
  return defineInsert(preparation, {
    table: INBOX_RECEIPTS,
    keyColumns: 2,
    finish: (insert) => insert.onConflict((conflict) => conflict.doNothing()),
  });
}

/**
 * How many entries to read from `from` on, to find the entry of a résumé. Its stamp comes soon after `from`: only other
 * changes of the key in the same moment have stamps in between.
 */
export const UNREAD_READ = 50;
/** One consumer can take this many items of a key, and acknowledge them in any order. */
const RECEIPTS_READ = 1_000;

const STATE = INBOX_ENTRIES.omit('application_id', 'key_id', 'first_failure_at', 'change');

export const prepareReceipts: Prepare<Pick<Repositories['inbox'], 'findEntry' | 'sweepReceipts'>> = (
  preparation,
) => {
  const { queries } = preparation;
  const findUnread = define((param: Param<{ keyId: KeyId; from: Instant }>) =>
    queries
      .selectFrom('ph_inbox_entry')
      .selectAll()
      .where('key_id', '=', param('keyId'))
      .where('at', '>=', param('from'))
      .orderBy('at')
      .orderBy('application_id')
      .limit(sql.lit(UNREAD_READ)),
  );
  const findReceipts = define((param: Param<{ keyId: KeyId; from: Instant }>) =>
    queries
      .selectFrom('ph_inbox_receipt')
      .selectAll()
      .where('key_id', '=', param('keyId'))
      .where('last_at', '>=', param('from'))
      .orderBy('last_at')
      .limit(sql.lit(RECEIPTS_READ)),
  );
  const sweep = prepareSweep(preparation, {
    table: 'ph_inbox_receipt',
    column: 'received_at',
    key: ['key_id', 'last_at'],
    inOrderOf: ['key_id', 'last_at'],
    isOver: (at, before) => at < before,
  });

  return {
    findEntry: (session, question) =>
      session.read(async (run) => {
        const { keyId, applicationId, from } = question;
        const unread = await run.all(findUnread, { keyId, from });
        const found = unread.find((row) => row.application_id === applicationId);
        if (found !== undefined) {
          const state = { ...STATE.toValue(found), receivedAt: null };
          return state.parkedAt === null ? state : { ...state, retryAt: null };
        }
        return findReceived(question, await run.all(findReceipts, { keyId, from }));
      }),
    sweepReceipts: sweep,
  };
};

function findReceived(
  { applicationId, from }: InboxQuestion,
  rows: readonly Row<typeof INBOX_RECEIPTS>[],
): InboxEntryState | null {
  const [earliest] = rows
    .flatMap(toReceived)
    .filter((entry) => entry.applicationId === applicationId && entry.at >= from)
    .sort((a, b) => a.at - b.at);
  if (earliest === undefined) return null;
  const { at, item: kind, receivedAt } = earliest;
  return { at, kind, receivedAt, failures: 0, retryAt: null, parkedAt: null, lastError: null };
}
