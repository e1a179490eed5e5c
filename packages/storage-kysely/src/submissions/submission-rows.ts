import type { AcceptedSubmission } from '@partner-hiring/core/ports';
import { fromEntry } from '../inbox/inbox-rows.js';
import { fromNewApplication } from '../repositories/application-rows.js';
import { NEW_TASKS } from '../repositories/resume-files.js';
import { IDEMPOTENCY } from '../tables/index.js';

export function fromSubmission({ idempotency, application, resume }: AcceptedSubmission) {
  return {
    record: IDEMPOTENCY.toRow(idempotency),
    application: fromNewApplication(application, idempotency.idempotencyKey),
    task: resume === null ? null : NEW_TASKS.toRow(resume),
    entry: fromEntry({
      applicationId: application.id,
      at: application.submittedAt,
      keyId: application.keyId,
      kind: 'application.submitted',
    }),
  };
}
