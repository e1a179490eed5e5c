import type { ApplicationRecord } from '@partner-hiring/core/ports';
import type { Row } from '../table.js';
import { APPLICATIONS } from '../tables/index.js';

/** The columns that a partner may read. */
export const PARTNER_COLUMNS = [
  'id',
  'key_id',
  'job_id',
  'company_id',
  'source_application_id',
  'status',
  'stage',
  'submitted_at',
  'last_status_change_at',
  'changed_at',
] as const satisfies readonly (keyof Row<typeof APPLICATIONS>)[];

export const PARTNER_APPLICATIONS = APPLICATIONS.pick(...PARTNER_COLUMNS);

export const NEW_APPLICATIONS = APPLICATIONS.omit('erased_at', 'erased_counts');

export function fromNewApplication(
  application: ApplicationRecord,
  idempotencyKey: string,
): Row<typeof NEW_APPLICATIONS> {
  return Object.assign(NEW_APPLICATIONS.toRow(application), { idempotency_key: idempotencyKey });
}
