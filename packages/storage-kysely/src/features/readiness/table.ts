import type { KeyId, ReadinessName } from '@partner-hiring/core/ports';
import { choiceColumn, idColumn, instantColumn, table, textColumn } from '../../table.js';
import { rowsOf } from '../../table-rows.js';

/** What keys have proved for their go-live. */
export const READINESS = table('ph_readiness', rowsOf('log', ['key_id', 'name']), {
  key_id: idColumn<KeyId>(),
  name: choiceColumn<ReadinessName>(),
  first_at: instantColumn(),
  first_id: textColumn(),
  last_at: instantColumn(),
  last_id: textColumn(),
  fault: textColumn().orNull(),
});
