import type {
  ErasureKey,
  InboxEntry,
  InboxEntryKey,
  Instant,
  KeyId,
  ListedEntry,
  UnreadEntry,
} from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import type { JsonRows } from '../../dialect.js';
import type { Preparation } from '../../preparation.js';
import { define, type Param, type Statement } from '../../statement.js';
import type { SubmissionPart } from '../../submissions/submission-repository.js';
import type { Row, TableColumns } from '../../table.js';
import { INBOX_ENTRIES } from './table.js';

/** Separates the erasures, which have a table of their own. */
export function splitErasures<Entry extends InboxEntryKey>(
  entries: readonly Entry[],
): {
  readonly erased: readonly Entry[];
  readonly others: readonly Exclude<Entry, ErasureKey>[];
} {
  const erased = entries.filter(isErasure);
  const others = entries.filter((entry): entry is Exclude<Entry, ErasureKey> => !isErasure(entry));
  return { erased, others };
}

function isErasure(entry: InboxEntryKey): boolean {
  return 'kind' in entry && entry.kind === 'candidate.erased';
}

/** The columns that change when an item is postponed. */
export const POSTPONEMENT = ['failures', 'first_failure_at', 'retry_at', 'parked_at', 'last_error'] as const;

/** The columns of a refusal that leaves an item in its place. */
export const REFUSAL = ['failures', 'first_failure_at', 'last_error'] as const;

/** The columns that identify an entry. */
const ENTRIES = INBOX_ENTRIES.pick('key_id', 'at', 'application_id');

export type EntryItem = Row<typeof ENTRIES>;

export const ENTRY_ITEM = ENTRIES.columns;

const NEW_ENTRIES = INBOX_ENTRIES.pick('application_id', 'at', 'key_id', 'kind', 'change');

type NewRow = Row<typeof NEW_ENTRIES>;

/** An entry row, with whether an earlier entry of its application exists. */
export type FoundRow = Row<typeof INBOX_ENTRIES> & { readonly behind: number };

/** Inserts entries if the inbox is on, which any process may have decided. */
export function defineAddEntries({
  queries,
  items,
  whenSelected,
}: Preparation): Statement<{ readonly rows: JsonRows<NewRow> }, unknown> {
  return define((param: Param<{ rows: JsonRows<NewRow> }>) =>
    queries
      .insertInto('ph_inbox_entry')
      .columns(['application_id', 'at', 'key_id', 'kind', 'change'])
      .expression((eb) =>
        eb
          .selectFrom(items(param('rows'), NEW_ENTRIES.columns))
          .select(['item.application_id', 'item.at', 'item.key_id', 'item.kind', 'item.change'])
          .where((where) =>
            where.exists(where.selectFrom('ph_inbox_switch').select('id').where('is_on', '=', 1)),
          )
          .$if(whenSelected !== null, (query) => query.where(whenSelected ?? sql<boolean>`true`)),
      ),
  );
}

export function fromEntry({ kind, change = null, ...entry }: InboxEntry): NewRow {
  return NEW_ENTRIES.toRow({ ...entry, kind: kind as NewRow['kind'], change });
}

export const ENTRY_OF_SUBMISSION: SubmissionPart = {
  name: 'entry',
  define: defineAddEntries,
  toRows: ({ application: { id: applicationId, submittedAt: at, keyId } }) => [
    fromEntry({ applicationId, at, keyId, kind: 'application.submitted' }),
  ],
};

export const toEntry = NEW_ENTRIES.omit('change').toValue;

export const toEntryItem = ENTRIES.toRow;

const UNREAD = INBOX_ENTRIES.omit('retry_at', 'parked_at', 'last_error');

export function toUnread(row: FoundRow): UnreadEntry {
  return { ...UNREAD.toValue(row), isRetry: row.retry_at !== null, isBehind: row.behind === 1 };
}

export function toListed(row: Row<typeof INBOX_ENTRIES>): ListedEntry {
  return { ...INBOX_ENTRIES.toValue(row), isRetry: row.retry_at !== null, isBehind: false };
}

/** The condition of the entries that may contain an error of the host, and of those that wait behind them. */
export const IS_REFUSED_OR_BEHIND = sql<boolean>`(retry_at is not null or failures > 0)`;

export interface HeadItem {
  readonly key_id: KeyId;
  readonly position: Instant;
}

export const HEAD_ITEM: TableColumns<HeadItem> = { key_id: 'text', position: 'integer' };

/** The last entry of each key. Those of retries lie before the position already. */
export function positionsOf(entries: readonly UnreadEntry[]): readonly HeadItem[] {
  const positions = new Map<KeyId, Instant>();
  for (const { keyId, at, isRetry } of entries) {
    if (!isRetry) positions.set(keyId, Math.max(at, positions.get(keyId) ?? 0));
  }
  return [...positions].map(([key_id, position]) => ({ key_id, position }));
}
