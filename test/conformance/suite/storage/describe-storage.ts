import { describe } from 'vitest';
import { TEST_TIMEOUT_MS } from '../fresh-window.js';
import { describeAlertsAndResumes } from './alerts-and-resumes.js';
import { describeAudit } from './audit.js';
import { type BatchCalls, intercept, noteBatches } from './batches.js';
import { describeCandidates } from './candidates.js';
import { describeCompaniesAndJobs } from './companies-and-jobs.js';
import { describeCountedSubmissions } from './counted-submissions.js';
import { describeDeliveries } from './deliveries.js';
import { describeEmptyBatches } from './empty-batches.js';
import { describeEndpointBacklogs } from './endpoint-backlogs.js';
import { describeEndpoints } from './endpoints.js';
import { describeEventLog } from './event-log.js';
import { describeEvents } from './events.js';
import { describeEvidence } from './evidence.js';
import { describeExcerpts } from './excerpts.js';
import { describeFailingEndpoints } from './failing-endpoints.js';
import { describeFeedAndPages } from './feed-and-pages.js';
import { describeInbox } from './inbox.js';
import { describeInboxEntries } from './inbox-entries.js';
import { describeInboxErasures } from './inbox-erasures.js';
import { describeKeys } from './keys.js';
import { describeLists } from './lists.js';
import { describeNameSearch } from './name-search.js';
import { describeOperations } from './operations.js';
import { describePortalPasses } from './portal-passes.js';
import { describeQueues } from './queues.js';
import { describeRaces } from './races.js';
import { describeRateWindows } from './rate-windows.js';
import { describeReadiness } from './readiness.js';
import { describeRequests } from './requests.js';
import { describeHeldRows, describeRowLocks } from './row-locks.js';
import type { OpenStorage } from './storage-under-test.js';
import { describeSubmissions } from './submissions.js';
import { describeSystem } from './system.js';
import { describeTotals } from './totals.js';
import { describeTime, describeTransactions } from './transactions.js';

/**
 * Tests a storage: every repository, transactions, races, the feed and leases. Call it once in a test file
 * with Vitest; it calls `open` for each test.
 * @example
 * ```ts
 * describeStorage('my database', openMyDatabase);
 * ```
 */
export function describeStorage<HostTx>(name: string, openStorage: OpenStorage<HostTx>): void {
  const batches: BatchCalls = new Map();
  const open: OpenStorage<HostTx> = async () => {
    const opened = await openStorage();
    const storage = noteBatches(opened.storage, batches);
    return intercept(opened, { storage: () => storage });
  };
  describe(name, { timeout: TEST_TIMEOUT_MS }, () => {
    describeTime(open);
    describeKeys(open);
    describeCompaniesAndJobs(open);
    describeFeedAndPages(open);
    describeLists(open);
    describeQueues(open);
    describeNameSearch(open);
    describeSubmissions(open);
    describeCountedSubmissions(open);
    describeRateWindows(open);
    describeEndpoints(open);
    describeEndpointBacklogs(open);
    describeFailingEndpoints(open);
    describeEvents(open);
    describeEventLog(open);
    describeDeliveries(open);
    describeEvidence(open);
    describeAlertsAndResumes(open);
    describeOperations(open);
    describeInbox(open);
    describeInboxEntries(open);
    describeInboxErasures(open);
    describeReadiness(open);
    describeRequests(open);
    describeCandidates(open);
    describeExcerpts(open);
    describeAudit(open);
    describeSystem(open);
    describePortalPasses(open);
    describeTotals(open);
    describeTransactions(open);
    describeRowLocks(open);
    describeHeldRows(open);
    describeRaces(open);
    describeEmptyBatches(openStorage, batches);
  });
}
