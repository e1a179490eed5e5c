import type { AlertRepository } from './alerts/repository.js';
import type { InboxRepository } from './inbox/repository.js';
import type { JobSyncRepository } from './jobs-sync/repository.js';
import type { PortalPassRepository } from './portal/repository.js';
import type { CandidateRepository } from './privacy/repository.js';
import type { ReadinessRepository } from './readiness/repository.js';
import type { RequestRepository } from './request-log/repository.js';
import type { ResumeFileRepository, ResumeRemovalRepository } from './resumes/repository.js';
import type { TotalsRepository } from './totals/repository.js';

/** The repositories of features. */
export interface FeatureRepositories {
  readonly jobSyncs: JobSyncRepository;
  readonly alerts: AlertRepository;
  readonly resumeFiles: ResumeFileRepository;
  readonly resumeRemovals: ResumeRemovalRepository;
  readonly candidates: CandidateRepository;
  readonly inbox: InboxRepository;
  readonly portalPasses: PortalPassRepository;
  readonly requests: RequestRepository;
  readonly readiness: ReadinessRepository;
  readonly totals: TotalsRepository;
}
