import type { ApplicationId, KeyId } from '@partner-hiring/core/ports';
import { idColumn, instantColumn, integerColumn, LEASE, table, textColumn } from '../../table.js';
import { NOT_EXPORTED, rowsOf } from '../../table-rows.js';

export const RESUME_TASKS = table('ph_resume_task', rowsOf('application', NOT_EXPORTED), {
  application_id: idColumn<ApplicationId>(),
  key_id: idColumn<KeyId>(),
  url: textColumn(),
  attempts: integerColumn(),
  due_at: instantColumn(),
  ...LEASE,
});

/** Résumés that the sink must remove. */
export const RESUME_REMOVALS = table('ph_resume_removal', rowsOf('application', ['application_id']), {
  application_id: idColumn<ApplicationId>(),
  location: textColumn().orNull(),
  attempts: integerColumn(),
  due_at: instantColumn(),
  ...LEASE,
});
