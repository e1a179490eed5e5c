import type {
  Environment,
  HourCount,
  HourCountKind,
  KeyId,
  WorkerId,
  WorkerSealing,
} from '@partner-hiring/core/ports';
import { choiceColumn, idColumn, instantColumn, integerColumn, json, table, textColumn } from '../table.js';
import { NOT_EXPORTED, rowsOf } from '../table-rows.js';

/** Requests counted in each minute of each bucket. */
export const RATE_WINDOWS = table('ph_rate_window', rowsOf('log', NOT_EXPORTED), {
  window_start: instantColumn(),
  bucket_id: textColumn(),
  count: integerColumn(),
});

/** The deployment that the database belongs to. The table is empty if it has no name, and otherwise has the row 1. */
export const DEPLOYMENT = table('ph_deployment', rowsOf(null, NOT_EXPORTED), {
  id: integerColumn().hidden(),
  name: textColumn(),
  named_at: instantColumn(),
  /** On a server, its system and the database. Of a file, its path. */
  place: textColumn().hidden(),
  /** The inode of a file. Null on a server. */
  inode: textColumn().orNull().hidden(),
});

/** Started workers. */
export const WORKERS = table('ph_worker', rowsOf(null, NOT_EXPORTED), {
  id: idColumn<WorkerId>(),
  name: textColumn(),
  pid: integerColumn(),
  release: textColumn(),
  deployment: textColumn().orNull(),
  started_at: instantColumn(),
  last_seen_at: instantColumn(),
  /** When its last sweep ended. */
  swept_at: instantColumn().orNull().at('lastSweepAt'),
  /** When an idle worker wakes. Null while it polls. */
  sleeps_until: instantColumn().orNull(),
  /** What it says about signing secrets. */
  sealing: json<WorkerSealing>().orNull(),
});

/** Counts for each hour. */
export const HOUR_COUNTS = table('ph_hour_count', rowsOf(null, ['kind', 'key_id', 'hour', 'name']), {
  kind: choiceColumn<HourCountKind>(),
  /** An environment for the sum of its keys; empty for the sum of all keys. */
  key_id: idColumn<KeyId | Environment | ''>().as<HourCount['keyId']>({
    encode: (keyId) => keyId ?? '',
    decode: (stored) => (stored === '' ? null : stored),
  }),
  hour: instantColumn(),
  name: textColumn(),
  count: integerColumn(),
});

/** The applied migrations. Each storage creates this table itself. */
export const SCHEMA_MIGRATIONS = table('ph_schema_migration', rowsOf(null, NOT_EXPORTED), {
  version: integerColumn(),
});
