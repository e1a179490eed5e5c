import { describe } from 'vitest';
import { PATIENCE_MS } from '../patience.js';
import { describeAlertsAndResumes } from './alerts-and-resumes.js';
import { describeCompaniesAndJobs } from './companies-and-jobs.js';
import { describeCountedSubmissions } from './counted-submissions.js';
import { describeDeliveries } from './deliveries.js';
import { describeEmptyBatches } from './empty-batches.js';
import { describeEndpointBacklogs } from './endpoint-backlogs.js';
import { describeEndpoints } from './endpoints.js';
import { describeEvents } from './events.js';
import { describeFeedAndPages } from './feed-and-pages.js';
import { describeHeldRows } from './held-rows.js';
import { describeKeys } from './keys.js';
import { describeRaces } from './races.js';
import { describeRateWindows } from './rate-windows.js';
import { describeRowLocks } from './row-locks.js';
import type { OpenStorage } from './storage-under-test.js';
import { describeSubmissions } from './submissions.js';
import { describeTime } from './time.js';
import { describeTransactions } from './transactions.js';

/**
 * What every storage must do, as tests of Vitest: every repository, transactions, races, the feed, leases. One
 * call in a test file for each storage; `open` is called once for each test.
 */
export function describeStorage<HostTx>(name: string, open: OpenStorage<HostTx>): void {
  describe(name, { timeout: PATIENCE_MS }, () => {
    describeTime(open);
    describeKeys(open);
    describeCompaniesAndJobs(open);
    describeFeedAndPages(open);
    describeSubmissions(open);
    describeCountedSubmissions(open);
    describeRateWindows(open);
    describeEndpoints(open);
    describeEndpointBacklogs(open);
    describeEvents(open);
    describeDeliveries(open);
    describeAlertsAndResumes(open);
    describeEmptyBatches(open);
    describeTransactions(open);
    describeRowLocks(open);
    describeHeldRows(open);
    describeRaces(open);
  });
}
