import { emailKey, lastNameKey } from '@partner-hiring/core';
import type { Application, ApplicationRecord, FormAnswers, ResumeState } from '@partner-hiring/core/ports';
import type { Columns } from '../dialect.js';
import type { ApplicationTable } from '../schema.js';

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
] as const satisfies readonly (keyof ApplicationTable)[];

export type PartnerRow = Pick<ApplicationTable, (typeof PARTNER_COLUMNS)[number]>;

/** The columns of a new application. */
export type NewApplicationRow = Omit<ApplicationTable, 'erased_at' | 'erased_counts'>;

export const APPLICATION_COLUMNS: Columns<NewApplicationRow> = {
  id: 'text',
  key_id: 'text',
  job_id: 'text',
  company_id: 'text',
  source_application_id: 'text',
  status: 'text',
  stage: 'text',
  submitted_at: 'integer',
  last_status_change_at: 'integer',
  changed_at: 'integer',
  first_name: 'text',
  last_name: 'text',
  email: 'text',
  phone: 'text',
  source: 'text',
  answers: 'text',
  resume_url: 'text',
  resume: 'text',
  last_name_key: 'text',
  email_key: 'text',
  idempotency_key: 'text',
};

export function toApplication(row: PartnerRow): Application {
  return {
    id: row.id,
    keyId: row.key_id,
    jobId: row.job_id,
    companyId: row.company_id,
    sourceApplicationId: row.source_application_id,
    status: row.status,
    stage: row.stage,
    submittedAt: row.submitted_at,
    lastStatusChangeAt: row.last_status_change_at,
    changedAt: row.changed_at,
  };
}

export function toApplicationRecord(row: ApplicationTable): ApplicationRecord {
  return {
    ...toApplication(row),
    candidate: {
      firstName: row.first_name,
      lastName: row.last_name,
      email: row.email,
      phone: row.phone,
    },
    source: row.source,
    answers: JSON.parse(row.answers) as FormAnswers,
    resumeUrl: row.resume_url,
    resume: JSON.parse(row.resume) as ResumeState,
    erasedAt: row.erased_at,
  };
}

export function fromNewApplication(
  application: ApplicationRecord,
  idempotencyKey: string,
): NewApplicationRow {
  return {
    id: application.id,
    key_id: application.keyId,
    job_id: application.jobId,
    company_id: application.companyId,
    source_application_id: application.sourceApplicationId,
    status: application.status,
    stage: application.stage,
    submitted_at: application.submittedAt,
    last_status_change_at: application.lastStatusChangeAt,
    changed_at: application.changedAt,
    first_name: application.candidate.firstName,
    last_name: application.candidate.lastName,
    email: application.candidate.email,
    phone: application.candidate.phone,
    source: application.source,
    answers: JSON.stringify(application.answers),
    resume_url: application.resumeUrl,
    resume: JSON.stringify(application.resume),
    last_name_key: lastNameKey(application.candidate.lastName),
    email_key: emailKey(application.candidate.email),
    idempotency_key: idempotencyKey,
  };
}
