import type {
  ApplicationChange,
  ApplicationId,
  InboxChanges,
  InboxItemKind,
  Instant,
  KeyId,
} from '@partner-hiring/core/ports';
import {
  choiceColumn,
  flagColumn,
  idColumn,
  instantColumn,
  integerColumn,
  json,
  table,
  textColumn,
} from '../../table.js';
import { NOT_EXPORTED, rowsOf } from '../../table-rows.js';

/** One row. Whether new inbox entries are recorded. */
export const INBOX_SWITCH = table('ph_inbox_switch', rowsOf(null, NOT_EXPORTED), {
  id: integerColumn(),
  is_on: flagColumn(),
  changes: choiceColumn<InboxChanges>().withDefault(),
});

/** The keys with inbox entries. `lease_until` is 0 if no consumer has the key's entries. */
export const INBOX_HEADS = table('ph_inbox_head', rowsOf('key', NOT_EXPORTED), {
  key_id: idColumn<KeyId>(),
  /** Entries up to here are done or have a `retry_at`. */
  position: instantColumn().hidden().withDefault(),
  lease_until: instantColumn().hidden().withDefault(),
  leased_to: instantColumn().hidden().withDefault(),
});

/** The entries that the host has not received yet. */
export const INBOX_ENTRIES = table('ph_inbox_entry', rowsOf('inbox', ['key_id', 'at', 'application_id']), {
  application_id: idColumn<ApplicationId>(),
  at: instantColumn(),
  key_id: idColumn<KeyId>(),
  kind: choiceColumn<Exclude<InboxItemKind, 'candidate.erased'>>(),
  failures: integerColumn().withDefault(),
  first_failure_at: instantColumn().orNull(),
  retry_at: instantColumn().orNull(),
  parked_at: instantColumn().orNull(),
  last_error: textColumn().orNull(),
  change: json<ApplicationChange>().orNull(),
});

/** The erasures, whether or not the host has received them. */
export const INBOX_ERASURES = table('ph_inbox_erasure', rowsOf('inbox', ['application_id']), {
  application_id: idColumn<ApplicationId>(),
  key_id: idColumn<KeyId>(),
  at: instantColumn(),
  failures: integerColumn().withDefault(),
  first_failure_at: instantColumn().orNull(),
  retry_at: instantColumn(),
  parked_at: instantColumn().orNull(),
  last_error: textColumn().orNull(),
  received_at: instantColumn().orNull(),
});

/** The differences keep the body short. */
export type ReceivedEntry = readonly [sinceFirst: number, kind: InboxItemKind, applicationId: ApplicationId];

/** The entries that the host has received: one row for each key and hand-over. */
export const INBOX_RECEIPTS = table(
  'ph_inbox_receipt',
  rowsOf('inbox', ['key_id', 'last_at'], { toValues: toReceived }),
  {
    key_id: idColumn<KeyId>(),
    /** The stamp of the last entry. */
    last_at: instantColumn(),
    /** The stamp of the first entry. */
    first_at: instantColumn(),
    received_at: instantColumn(),
    body: json<readonly ReceivedEntry[]>(),
  },
);

/** An entry that the host has received, as an export contains it. */
interface ReceivedExport {
  readonly keyId: KeyId;
  readonly item: InboxItemKind;
  readonly applicationId: ApplicationId;
  readonly at: Instant;
  readonly receivedAt: Instant;
}

export function toReceived(row: object): readonly ReceivedExport[] {
  const { keyId, firstAt, receivedAt, body } = INBOX_RECEIPTS.toValue(row as never);
  return body.map(([sinceFirst, item, applicationId]) => ({
    keyId,
    item,
    applicationId,
    at: firstAt + sinceFirst,
    receivedAt,
  }));
}
