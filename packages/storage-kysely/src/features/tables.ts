import * as base from '../tables/index.js';
import { ALERTS } from './alerts/table.js';
import { AUDIT } from './audit/table.js';
import { INBOX_ENTRIES, INBOX_ERASURES, INBOX_HEADS, INBOX_RECEIPTS, INBOX_SWITCH } from './inbox/table.js';
import { HELD_JOBS, JOB_SYNCS } from './jobs-sync/table.js';
import { OPERATION_INPUTS, OPERATIONS } from './operations/table.js';
import { PORTAL_PASSES } from './portal/table.js';
import { READINESS } from './readiness/table.js';
import { REQUEST_READS, REQUESTS } from './request-log/table.js';
import { RESUME_REMOVALS, RESUME_TASKS } from './resumes/table.js';

/** All tables, in the order of an export. Each comes after those that it references. */
export const STORED_TABLES = [
  base.PARTNERS,
  base.NAME_WORDS,
  base.PARTNER_KEYS,
  base.KEY_SECRETS,
  base.COMPANIES,
  base.JOBS,
  base.ACCESS,
  base.FEED_HEADS,
  INBOX_SWITCH,
  INBOX_HEADS,
  base.KEY_JOBS,
  base.APPLICATIONS,
  base.IDEMPOTENCY,
  RESUME_TASKS,
  RESUME_REMOVALS,
  base.ENDPOINTS,
  base.EVENTS,
  base.DELIVERIES,
  base.ATTEMPTS,
  base.DELIVERY_EVIDENCE,
  ALERTS,
  INBOX_ENTRIES,
  INBOX_ERASURES,
  INBOX_RECEIPTS,
  OPERATIONS,
  OPERATION_INPUTS,
  JOB_SYNCS,
  HELD_JOBS,
  REQUESTS,
  REQUEST_READS,
  READINESS,
  base.RATE_WINDOWS,
  base.HOUR_COUNTS,
  AUDIT,
  PORTAL_PASSES,
  base.WORKERS,
  base.DEPLOYMENT,
  base.SCHEMA_MIGRATIONS,
] as const;
