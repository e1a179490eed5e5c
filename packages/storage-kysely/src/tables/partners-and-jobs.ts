import type {
  CompanyId,
  Environment,
  FormQuestion,
  JobId,
  JobState,
  KeyId,
  OperationId,
  PartnerContact,
  PartnerId,
  PortalPassKind,
  PortalRight,
} from '@partner-hiring/core/ports';
import { decimal, flag, id, instant, integer, json, oneOf, table, text } from '../table.js';

/** Links that sign in to the portal, and the sessions that follow. */
export const PORTAL_PASSES = table('ph_portal_pass', {
  hash: text(),
  kind: oneOf<PortalPassKind>(),
  partner_id: id<PartnerId>(),
  origin: text(),
  rights: json<readonly PortalRight[]>(),
  made_by: text(),
  created_at: instant(),
  expires_at: instant(),
});

export const PARTNERS = table('ph_partner', {
  id: id<PartnerId>(),
  name: text(),
  contact: json<PartnerContact>().orNull(),
  created_at: instant(),
  disabled_at: instant().orNull(),
  removed_at: instant().orNull(),
});

export const PARTNER_KEYS = table('ph_partner_key', {
  id: id<KeyId>(),
  partner_id: id<PartnerId>(),
  environment: oneOf<Environment>(),
  created_at: instant(),
});

export const KEY_SECRETS = table('ph_key_secret', {
  hash: text(),
  key_id: id<KeyId>(),
  prefix: text(),
  last_four: text(),
  created_at: instant(),
  last_used_at: instant().orNull(),
  expires_at: instant().orNull(),
  revoked_at: instant().orNull(),
});

export const COMPANIES = table('ph_company', {
  id: id<CompanyId>(),
  name: text(),
  environment: oneOf<Environment>(),
  created_at: instant(),
});

export const ACCESS = table('ph_access', {
  key_id: id<KeyId>(),
  company_id: id<CompanyId>(),
  granted_at: instant(),
  revoked_at: instant().orNull(),
  bootstrap_until: instant().orNull(),
});

/** `application_form` is null if a job has no form. */
export const JOBS = table('ph_job', {
  id: id<JobId>(),
  company_id: id<CompanyId>(),
  title: text(),
  city: text().at('location.city'),
  region: text().at('location.state'),
  country: text().at('location.country'),
  unknown_country: flag(),
  pay_type: oneOf<'hourly'>().at('compensation.type'),
  pay_min: decimal().orNull().at('compensation.min'),
  pay_max: decimal().orNull().at('compensation.max'),
  pay_currency: text().at('compensation.currency'),
  schedule: text().orNull(),
  headcount_total: integer().orNull().at('headcount.total'),
  headcount_filled: integer().at('headcount.filled'),
  application_form: json<readonly FormQuestion[]>().orNull().at('applicationFormSchema'),
  state: oneOf<JobState>(),
  internal_only: flag(),
  created_at: instant(),
  updated_at: instant(),
  synced_in: id<OperationId>().orNull(),
  source_version: text().orNull(),
});

/** An object whose name can be searched. */
export type NamedKind = 'partner' | 'company' | 'job';

/** The words of names, for searches. */
export const NAME_WORDS = table('ph_name_word', {
  id: id<PartnerId | CompanyId | JobId>(),
  word: text(),
  kind: oneOf<NamedKind>(),
});

/**
 * The feed head of each key: the last stamp that its feed has used. `event_at` is the last stamp that was taken for an
 * event, or 0.
 */
export const FEED_HEADS = table('ph_feed_head', {
  key_id: id<KeyId>(),
  at: instant(),
  event_at: instant(),
  /** No event up to this stamp is left to send. */
  checked_at: instant().hidden().withDefault(),
  /** Whether `event_at` is greater than `checked_at`. If so, the feed may have unsent events. */
  unchecked: flag().generated(),
  /** Every later event is in the log. Null if the log has events only while the key has an endpoint. */
  recorded_after: instant().orNull().hidden(),
});

export const KEY_JOBS = table('ph_key_job', {
  key_id: id<KeyId>(),
  job_id: id<JobId>(),
  company_id: id<CompanyId>(),
  visible: flag(),
  changed_at: instant(),
});
