import {
  type ApplicationId,
  type ApplicationRecord,
  type ApplicationStatus,
  type CompanyId,
  type ErasureCounts,
  emailKey,
  type FormAnswers,
  type JobId,
  type KeyId,
  lastNameKey,
  type ResumeState,
  type Stage,
} from '@partner-hiring/core/ports';
import { phoneKey } from '../candidates/phone-key.js';
import { id, instant, integer, json, LEASE, oneOf, table, text } from '../table.js';

/** Applications, including data that only the host may read. */
export const APPLICATIONS = table('ph_application', {
  id: id<ApplicationId>(),
  key_id: id<KeyId>(),
  job_id: id<JobId>(),
  company_id: id<CompanyId>(),
  source_application_id: text().orNull(),
  status: oneOf<ApplicationStatus>(),
  stage: oneOf<Stage>(),
  submitted_at: instant(),
  last_status_change_at: instant(),
  changed_at: instant(),
  first_name: text().at('candidate.firstName'),
  last_name: text().at('candidate.lastName'),
  email: text().at('candidate.email'),
  phone: text().at('candidate.phone'),
  source: text().orNull(),
  answers: json<FormAnswers>(),
  resume_url: text().orNull(),
  resume: json<ResumeState>(),
  resume_failed_at: instant()
    .orNull()
    .derived(({ resume }: Pick<ApplicationRecord, 'resume'>) =>
      resume.kind === 'failed' ? resume.failedAt : null,
    ),
  /** Null until the worker fills it in. */
  last_name_key: text()
    .orNull()
    .derived(({ candidate }: Pick<ApplicationRecord, 'candidate'>) => lastNameKey(candidate.lastName)),
  /** Null until the worker fills it in. */
  email_key: text()
    .orNull()
    .derived(({ candidate }: Pick<ApplicationRecord, 'candidate'>) => emailKey(candidate.email)),
  phone_key: text().derived(({ candidate }: Pick<ApplicationRecord, 'candidate'>) =>
    phoneKey(candidate.phone),
  ),
  erased_at: instant().orNull(),
  /** Counts what an erasure removed. Null before an erasure. */
  erased_counts: json<ErasureCounts>().orNull().hidden(),
  /** Finds the stored reply of the submission. */
  idempotency_key: text().orNull().hidden(),
});

/** The idempotency keys of accepted submissions, that is, of replies with status 201. */
export const IDEMPOTENCY = table('ph_idempotency', {
  key_id: id<KeyId>(),
  idempotency_key: text(),
  fingerprint: text(),
  json_fingerprint: text(),
  application_id: id<ApplicationId>(),
  company_id: id<CompanyId>(),
  reply_status: integer().at('reply.status'),
  reply_body: text().at('reply.body'),
  created_at: instant(),
  expires_at: instant(),
});

export const RESUME_TASKS = table('ph_resume_task', {
  application_id: id<ApplicationId>(),
  key_id: id<KeyId>(),
  url: text(),
  attempts: integer(),
  due_at: instant(),
  ...LEASE,
});

/** Résumés that the sink must remove. */
export const RESUME_REMOVALS = table('ph_resume_removal', {
  application_id: id<ApplicationId>(),
  location: text().orNull(),
  attempts: integer(),
  due_at: instant(),
  ...LEASE,
});
