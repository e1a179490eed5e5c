import type { Repositories } from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import { type Prepare, withMethods } from '../preparation.js';
import type { SubmissionPart } from '../submissions/submission-repository.js';
import type { EmptiedTable } from '../system/deployment.js';
import { firstExpired, type WorkParts } from '../system/work.js';
import { dueAlerts, firstAlert, prepareAlerts } from './alerts/queries.js';
import { prepareAudit } from './audit/queries.js';
import { prepareEventPages } from './events-feed/queries.js';
import { ENTRY_OF_SUBMISSION } from './inbox/inbox-rows.js';
import { dueEntries, prepareInbox } from './inbox/queries.js';
import { prepareJobSyncs } from './jobs-sync/queries.js';
import { dueOperations, prepareOperations } from './operations/queries.js';
import { preparePortalPasses } from './portal/queries.js';
import { prepareCandidates } from './privacy/queries.js';
import { prepareReadiness } from './readiness/queries.js';
import { firstOldRequest, prepareRequests } from './request-log/queries.js';
import {
  dueFiles,
  firstDownload,
  prepareDownloadsToErase,
  prepareResumeFiles,
  TASK_OF_SUBMISSION,
} from './resumes/queries.js';
import { prepareResumeRemovals } from './resumes/removal-queries.js';
import { prepareCandidateNames } from './search/queries.js';

/** The repositories of the features. */
export const FEATURE_REPOSITORIES = {
  alerts: prepareAlerts,
  audit: prepareAudit,
  candidates: withMethods(prepareCandidates, prepareDownloadsToErase),
  inbox: prepareInbox,
  jobSyncs: prepareJobSyncs,
  operations: prepareOperations,
  portalPasses: preparePortalPasses,
  readiness: prepareReadiness,
  requests: prepareRequests,
  resumeFiles: prepareResumeFiles,
  resumeRemovals: prepareResumeRemovals,
} satisfies { readonly [Name in keyof Repositories]?: Prepare<Repositories[Name]> };

/** The methods of features in repositories of the base. */
export const FEATURE_METHODS = { applications: prepareCandidateNames, events: prepareEventPages };

/** In the order of the statement. */
export const SUBMISSION_PARTS: readonly SubmissionPart[] = [TASK_OF_SUBMISSION, ENTRY_OF_SUBMISSION];

export const WORK_PARTS: WorkParts = {
  due: [dueFiles, dueAlerts, dueOperations, dueEntries],
  waiting: { alertAt: firstAlert, downloadAt: firstDownload },
  expired: {
    operations: (preparation, before) =>
      firstExpired(preparation, 'ph_operation', 'finished_at', before, sql`finished_at is not null`),
    auditEntries: (preparation, before) =>
      firstExpired(preparation, 'ph_audit', 'at', before, sql`number = 0`),
    inboxReceipts: (preparation, before) =>
      firstExpired(preparation, 'ph_inbox_receipt', 'received_at', before),
    requests: firstOldRequest,
    reads: (preparation, before) => firstExpired(preparation, 'ph_request_read', 'sweep_at', before),
    sentAlerts: (preparation, before) =>
      firstExpired(preparation, 'ph_alert', 'sent_at', before, sql`sent_at is not null`),
    portalPasses: (preparation, before) => firstExpired(preparation, 'ph_portal_pass', 'expires_at', before),
  },
};

/** In the order in which they are emptied. */
export const EMPTIED_TABLES: readonly EmptiedTable[] = [
  { counted: 'downloads', table: 'ph_resume_task' },
  { counted: 'alerts', table: 'ph_alert', where: sql`sent_at is null` },
  { counted: 'portalPasses', table: 'ph_portal_pass' },
];
