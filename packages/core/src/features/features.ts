import { alertsFeature } from './alerts/feature.js';
import { auditFeature } from './audit/feature.js';
import { bulkFeature } from './bulk/feature.js';
import { eventsFeedFeature } from './events-feed/feature.js';
import type { Feature } from './feature.js';
import { inboxFeature } from './inbox/feature.js';
import { jobsSyncFeature } from './jobs-sync/feature.js';
import { operationsFeature } from './operations/feature.js';
import { portalFeature } from './portal/feature.js';
import { privacyFeature } from './privacy/feature.js';
import { readinessFeature } from './readiness/feature.js';
import { requestLogFeature } from './request-log/feature.js';
import { resumesFeature } from './resumes/feature.js';
import { sandboxFeature } from './sandbox/feature.js';
import { searchFeature } from './search/feature.js';
import { selfServiceFeature } from './self-service/feature.js';
import { systemFeature } from './system/feature.js';
import { timelinesFeature } from './timelines/feature.js';

/** All features, in the order in which their rows are locked. Each stands behind those that it needs. */
export const FEATURES: readonly Feature[] = [
  jobsSyncFeature,
  operationsFeature,
  bulkFeature,
  resumesFeature,
  inboxFeature,
  auditFeature,
  selfServiceFeature,
  alertsFeature,
  eventsFeedFeature,
  readinessFeature,
  requestLogFeature,
  sandboxFeature,
  privacyFeature,
  timelinesFeature,
  searchFeature,
  systemFeature,
  portalFeature,
];
