import type { AccessRepository } from './repositories/access.js';
import type { AlertRepository } from './repositories/alerts.js';
import type { ApplicationRepository } from './repositories/applications.js';
import type { CompanyRepository } from './repositories/companies.js';
import type { DeliveryRepository } from './repositories/deliveries.js';
import type { EndpointRepository } from './repositories/endpoints.js';
import type { EventRepository } from './repositories/events.js';
import type { FeedRepository } from './repositories/feed.js';
import type { JobRepository } from './repositories/jobs.js';
import type { KeyJobRepository } from './repositories/key-jobs.js';
import type { KeyRepository } from './repositories/keys.js';
import type { PartnerRepository } from './repositories/partners.js';
import type { RateWindowRepository } from './repositories/rate-windows.js';
import type { ResumeFileRepository } from './repositories/resume-files.js';
import type { SubmissionRepository } from './repositories/submissions.js';
import type { TimeRepository } from './repositories/time.js';

/**
 * Everything that is stored, shaped by the use cases. Batches come in as arrays and their answers keep the
 * order; a batch may be empty. Nothing here decides anything: time, ids and outcomes come in.
 */
export interface Repositories {
  readonly partners: PartnerRepository;
  readonly keys: KeyRepository;
  readonly companies: CompanyRepository;
  readonly access: AccessRepository;
  readonly jobs: JobRepository;
  readonly keyJobs: KeyJobRepository;
  readonly applications: ApplicationRepository;
  readonly submissions: SubmissionRepository;
  readonly rateWindows: RateWindowRepository;
  readonly feed: FeedRepository;
  readonly events: EventRepository;
  readonly endpoints: EndpointRepository;
  readonly deliveries: DeliveryRepository;
  readonly alerts: AlertRepository;
  readonly resumeFiles: ResumeFileRepository;
  readonly time: TimeRepository;
}
