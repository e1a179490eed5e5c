import type { AlertId, EventId, KeyId, NewAlert, PauseReason } from '@partner-hiring/core/ports';
import {
  choiceColumn,
  flagColumn,
  idColumn,
  instantColumn,
  integerColumn,
  json,
  LEASE,
  table,
} from '../../table.js';
import { rowsOf } from '../../table-rows.js';

/** Alerts that the host has not received yet, and those that were sent. Columns that belong to another kind of alert are null. */
export const ALERTS = table('ph_alert', rowsOf('log', ['id']), {
  id: idColumn<AlertId>(),
  kind: choiceColumn<NewAlert['kind']>(),
  /** Null for an alert about no key. */
  key_id: idColumn<KeyId>().orNull(),
  reason: choiceColumn<PauseReason>().orNull(),
  event_id: idColumn<EventId>().orNull(),
  attempts: integerColumn().orNull(),
  at: instantColumn(),
  /** The other fields. */
  details: json<Readonly<Record<string, unknown>>>().orNull(),
  ...LEASE,
  sent_at: instantColumn().orNull(),
  is_told: flagColumn(),
});
