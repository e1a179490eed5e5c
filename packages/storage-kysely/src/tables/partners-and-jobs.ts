import type {
  CompanyId,
  Environment,
  FormQuestion,
  JobId,
  JobState,
  KeyId,
  LoweredLimits,
  OperationId,
  PartnerContact,
  PartnerId,
} from '@partner-hiring/core/ports';
import {
  choiceColumn,
  decimal,
  flagColumn,
  idColumn,
  instantColumn,
  integerColumn,
  json,
  table,
  textColumn,
} from '../table.js';
import { NOT_EXPORTED, rowsOf } from '../table-rows.js';

export const PARTNERS = table('ph_partner', rowsOf('partner', ['id']), {
  id: idColumn<PartnerId>(),
  name: textColumn(),
  contact: json<PartnerContact>().orNull(),
  created_at: instantColumn(),
  disabled_at: instantColumn().orNull(),
  removed_at: instantColumn().orNull(),
});

export const PARTNER_KEYS = table('ph_partner_key', rowsOf('partner', ['id'], { exportedAs: 'key' }), {
  id: idColumn<KeyId>(),
  partner_id: idColumn<PartnerId>(),
  environment: choiceColumn<Environment>(),
  created_at: instantColumn(),
  lowered_limits: json<LoweredLimits>().orNull(),
});

export const KEY_SECRETS = table('ph_key_secret', rowsOf('key', ['hash'], { without: 'hash' }), {
  hash: textColumn(),
  key_id: idColumn<KeyId>(),
  prefix: textColumn(),
  last_four: textColumn(),
  created_at: instantColumn(),
  last_used_at: instantColumn().orNull(),
  expires_at: instantColumn().orNull(),
  revoked_at: instantColumn().orNull(),
});

export const COMPANIES = table('ph_company', rowsOf(null, ['id'], { isShared: true }), {
  id: idColumn<CompanyId>(),
  name: textColumn(),
  environment: choiceColumn<Environment>(),
  created_at: instantColumn(),
});

export const ACCESS = table('ph_access', rowsOf('key', ['key_id', 'company_id']), {
  key_id: idColumn<KeyId>(),
  company_id: idColumn<CompanyId>(),
  granted_at: instantColumn(),
  revoked_at: instantColumn().orNull(),
  bootstrap_until: instantColumn().orNull(),
});

/** `application_form` is null if a job has no form. */
export const JOBS = table('ph_job', rowsOf(null, ['id'], { isShared: true }), {
  id: idColumn<JobId>(),
  company_id: idColumn<CompanyId>(),
  title: textColumn(),
  city: textColumn().at('location.city'),
  region: textColumn().at('location.state'),
  country: textColumn().at('location.country'),
  unknown_country: flagColumn(),
  pay_type: choiceColumn<'hourly'>().at('compensation.type'),
  pay_min: decimal().orNull().at('compensation.min'),
  pay_max: decimal().orNull().at('compensation.max'),
  pay_currency: textColumn().at('compensation.currency'),
  schedule: textColumn().orNull(),
  headcount_total: integerColumn().orNull().at('headcount.total'),
  headcount_filled: integerColumn().at('headcount.filled'),
  application_form: json<readonly FormQuestion[]>().orNull().at('applicationFormSchema'),
  state: choiceColumn<JobState>(),
  internal_only: flagColumn(),
  created_at: instantColumn(),
  updated_at: instantColumn(),
  synced_in: idColumn<OperationId>().orNull(),
  source_version: textColumn().orNull(),
});

/** An object whose name can be searched. */
export type NameKind = 'partner' | 'company' | 'job';

/** The words of names, for searches. */
export const NAME_WORDS = table('ph_name_word', rowsOf('partner', NOT_EXPORTED), {
  id: idColumn<PartnerId | CompanyId | JobId>(),
  word: textColumn(),
  kind: choiceColumn<NameKind>(),
});

/**
 * The feed head of each key: the last stamp that its feed has used. `event_at` is the last stamp that was taken for an
 * event, or 0.
 */
export const FEED_HEADS = table('ph_feed_head', rowsOf('key', NOT_EXPORTED), {
  key_id: idColumn<KeyId>(),
  at: instantColumn(),
  event_at: instantColumn(),
  /** No event up to this stamp is left to send. */
  checked_at: instantColumn().hidden().withDefault(),
  /** Whether `event_at` is greater than `checked_at`. If so, the feed may have unsent events. */
  unchecked: flagColumn().generated(),
  /** Every later event is in the log. Null if the log has events only while the key has an endpoint. */
  recorded_after: instantColumn().orNull().hidden(),
});

export const KEY_JOBS = table('ph_key_job', rowsOf('feed', ['key_id', 'job_id']), {
  key_id: idColumn<KeyId>(),
  job_id: idColumn<JobId>(),
  company_id: idColumn<CompanyId>(),
  visible: flagColumn(),
  changed_at: instantColumn(),
  visible_since: instantColumn(),
});
