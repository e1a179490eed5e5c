import type { AcceptedSubmission, IdempotencyRecord, ResumeFileTask } from '@partner-hiring/core/ports';
import type { Columns } from '../dialect.js';
import { fromEntry } from '../inbox/inbox-rows.js';
import { fromNewApplication } from '../repositories/application-rows.js';
import type { IdempotencyTable, ResumeFileTaskTable } from '../schema.js';

export const IDEMPOTENCY_COLUMNS: Columns<IdempotencyTable> = {
  key_id: 'text',
  idempotency_key: 'text',
  fingerprint: 'text',
  json_fingerprint: 'text',
  application_id: 'text',
  company_id: 'text',
  reply_status: 'integer',
  reply_body: 'text',
  created_at: 'integer',
  expires_at: 'integer',
};

type TaskRow = Omit<ResumeFileTaskTable, 'lease_token' | 'lease_until'>;

export const TASK_COLUMNS: Columns<TaskRow> = {
  application_id: 'text',
  key_id: 'text',
  url: 'text',
  attempts: 'integer',
  due_at: 'integer',
};

export function fromSubmission({ idempotency, application, resume }: AcceptedSubmission) {
  return {
    record: fromRecord(idempotency),
    application: fromNewApplication(application, idempotency.idempotencyKey),
    task: resume === null ? null : fromTask(resume),
    entry: fromEntry({
      applicationId: application.id,
      at: application.submittedAt,
      keyId: application.keyId,
      kind: 'application.submitted',
    }),
  };
}

function fromRecord(record: IdempotencyRecord): IdempotencyTable {
  return {
    key_id: record.keyId,
    idempotency_key: record.idempotencyKey,
    fingerprint: record.fingerprint,
    json_fingerprint: record.jsonFingerprint,
    application_id: record.applicationId,
    company_id: record.companyId,
    reply_status: record.reply.status,
    reply_body: record.reply.body,
    created_at: record.createdAt,
    expires_at: record.expiresAt,
  };
}

export function toRecord(row: IdempotencyTable): IdempotencyRecord {
  return {
    keyId: row.key_id,
    idempotencyKey: row.idempotency_key,
    fingerprint: row.fingerprint,
    jsonFingerprint: row.json_fingerprint,
    applicationId: row.application_id,
    companyId: row.company_id,
    reply: { status: row.reply_status, body: row.reply_body },
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

function fromTask(task: ResumeFileTask): TaskRow {
  const { applicationId, keyId, url, attempts, dueAt } = task;
  return { application_id: applicationId, key_id: keyId, url, attempts, due_at: dueAt };
}
