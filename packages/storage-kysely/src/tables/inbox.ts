import type {
  ApplicationChange,
  ApplicationId,
  InboxChanges,
  InboxItemKind,
  KeyId,
} from '@partner-hiring/core/ports';
import { flag, id, instant, integer, json, oneOf, table, text } from '../table.js';

/** One row. Whether new inbox entries are recorded. */
export const INBOX_SWITCH = table('ph_inbox_switch', {
  id: integer(),
  is_on: flag(),
  changes: oneOf<InboxChanges>().withDefault(),
});

/** The keys with inbox entries. `lease_until` is 0 if no consumer has the key's entries. */
export const INBOX_HEADS = table('ph_inbox_head', {
  key_id: id<KeyId>(),
  /** Entries up to here are done or have a `retry_at`. */
  position: instant().hidden().withDefault(),
  lease_until: instant().hidden().withDefault(),
  leased_to: instant().hidden().withDefault(),
});

/** The entries that the host has not received yet. */
export const INBOX_ENTRIES = table('ph_inbox_entry', {
  application_id: id<ApplicationId>(),
  at: instant(),
  key_id: id<KeyId>(),
  kind: oneOf<Exclude<InboxItemKind, 'candidate.erased'>>(),
  failures: integer().withDefault(),
  first_failure_at: instant().orNull(),
  retry_at: instant().orNull(),
  parked_at: instant().orNull(),
  last_error: text().orNull(),
  change: json<ApplicationChange>().orNull(),
});

/** The erasures, whether or not the host has received them. */
export const INBOX_ERASURES = table('ph_inbox_erasure', {
  application_id: id<ApplicationId>(),
  key_id: id<KeyId>(),
  at: instant(),
  failures: integer().withDefault(),
  first_failure_at: instant().orNull(),
  retry_at: instant(),
  parked_at: instant().orNull(),
  last_error: text().orNull(),
  received_at: instant().orNull(),
});

/** The differences keep the body short. */
export type ReceivedEntry = readonly [sinceFirst: number, kind: InboxItemKind, applicationId: ApplicationId];

/** The entries that the host has received: one row for each key and hand-over. */
export const INBOX_RECEIPTS = table('ph_inbox_receipt', {
  key_id: id<KeyId>(),
  /** The stamp of the last entry. */
  last_at: instant(),
  /** The stamp of the first entry. */
  first_at: instant(),
  received_at: instant(),
  body: json<readonly ReceivedEntry[]>(),
});
