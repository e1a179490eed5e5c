import { describe } from 'vitest';
import { describeAlertsAndResumes } from './alerts-and-resumes.js';
import { describeCompaniesAndJobs } from './companies-and-jobs.js';
import { describeEndpoints } from './endpoints.js';
import { describeEventsAndDeliveries } from './events-and-deliveries.js';
import { describeFeedAndPages } from './feed-and-pages.js';
import { describeKeys } from './keys.js';
import { describeRateWindows } from './rate-windows.js';
import type { OpenStorage } from './storage-under-test.js';
import { describeSubmissions } from './submissions.js';
import { describeTransactions } from './transactions.js';

/** What every storage must do. One call for each storage. */
export function describeStorage<HostTx>(name: string, open: OpenStorage<HostTx>): void {
  describe(name, () => {
    describeKeys(open);
    describeCompaniesAndJobs(open);
    describeFeedAndPages(open);
    describeSubmissions(open);
    describeRateWindows(open);
    describeEndpoints(open);
    describeEventsAndDeliveries(open);
    describeAlertsAndResumes(open);
    describeTransactions(open);
  });
}
