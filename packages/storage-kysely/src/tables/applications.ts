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
import { choiceColumn, idColumn, instantColumn, integerColumn, json, table, textColumn } from '../table.js';
import { NOT_EXPORTED, rowsOf } from '../table-rows.js';
import { phoneKey } from './phone-key.js';

/** Applications, including data that only the host may read. */
export const APPLICATIONS = table('ph_application', rowsOf('feed', ['id']), {
  id: idColumn<ApplicationId>(),
  key_id: idColumn<KeyId>(),
  job_id: idColumn<JobId>(),
  company_id: idColumn<CompanyId>(),
  source_application_id: textColumn().orNull(),
  status: choiceColumn<ApplicationStatus>(),
  stage: choiceColumn<Stage>(),
  submitted_at: instantColumn(),
  last_status_change_at: instantColumn(),
  changed_at: instantColumn(),
  first_name: textColumn().at('candidate.firstName'),
  last_name: textColumn().at('candidate.lastName'),
  email: textColumn().at('candidate.email'),
  phone: textColumn().at('candidate.phone'),
  source: textColumn().orNull(),
  answers: json<FormAnswers>(),
  resume_url: textColumn().orNull(),
  resume: json<ResumeState>(),
  resume_failed_at: instantColumn()
    .orNull()
    .derived(({ resume }: Pick<ApplicationRecord, 'resume'>) =>
      resume.kind === 'failed' ? resume.failedAt : null,
    ),
  /** Null until the worker fills it in. */
  last_name_key: textColumn()
    .orNull()
    .derived(({ candidate }: Pick<ApplicationRecord, 'candidate'>) => lastNameKey(candidate.lastName)),
  /** Null until the worker fills it in. */
  email_key: textColumn()
    .orNull()
    .derived(({ candidate }: Pick<ApplicationRecord, 'candidate'>) => emailKey(candidate.email)),
  phone_key: textColumn().derived(({ candidate }: Pick<ApplicationRecord, 'candidate'>) =>
    phoneKey(candidate.phone),
  ),
  erased_at: instantColumn().orNull(),
  /** Counts what an erasure removed. Null before an erasure. */
  erased_counts: json<ErasureCounts>().orNull().hidden(),
  /** Finds the stored reply of the submission. */
  idempotency_key: textColumn().orNull().hidden(),
});

/** The idempotency keys of accepted submissions, that is, of replies with status 201. */
export const IDEMPOTENCY = table('ph_idempotency', rowsOf('feed', NOT_EXPORTED), {
  key_id: idColumn<KeyId>(),
  idempotency_key: textColumn(),
  fingerprint: textColumn(),
  json_fingerprint: textColumn(),
  application_id: idColumn<ApplicationId>(),
  company_id: idColumn<CompanyId>(),
  reply_status: integerColumn().at('reply.status'),
  reply_body: textColumn().at('reply.body'),
  created_at: instantColumn(),
  expires_at: instantColumn(),
});
