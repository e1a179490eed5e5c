import type { Repositories } from '@partner-hiring/core/ports';
import { applicationsOf } from './applications.js';
import { candidatesOf, resumeFilesOf, resumeRemovalsOf } from './candidates.js';
import type { Cells } from './cells.js';
import { alertsOf, deliveriesOf, evidenceOf } from './deliveries.js';
import { endpointsOf } from './endpoints.js';
import { eventsOf, feedOf } from './feed.js';
import { inboxOf } from './inbox.js';
import { accessOf, companiesOf, jobsOf, keyJobsOf } from './jobs.js';
import { keysOf, namesOf, partnersOf } from './partners.js';
import { requestsOf } from './requests.js';
import { rateWindowsOf, submissionsOf } from './submissions.js';
import { workOf } from './work.js';

/**
 * Combines the repositories of all cells. Repositories that belong to the host alone are those of the home cell: their
 * rows need not commit with those of one partner, and many concern several partners.
 */
export function combineCells(cells: Cells): Repositories {
  const { home } = cells;
  return {
    partners: partnersOf(cells),
    keys: keysOf(cells),
    companies: companiesOf(cells),
    access: accessOf(cells),
    jobs: jobsOf(cells),
    names: namesOf(cells),
    keyJobs: keyJobsOf(cells),
    applications: applicationsOf(cells),
    submissions: submissionsOf(cells),
    rateWindows: rateWindowsOf(cells),
    feed: feedOf(cells),
    events: eventsOf(cells),
    endpoints: endpointsOf(cells),
    deliveries: deliveriesOf(cells),
    evidence: evidenceOf(cells),
    alerts: alertsOf(cells),
    resumeFiles: resumeFilesOf(cells),
    resumeRemovals: resumeRemovalsOf(cells),
    candidates: candidatesOf(cells),
    get operations() {
      return home.operations;
    },
    inbox: inboxOf(cells),
    get audit() {
      return home.audit;
    },
    requests: requestsOf(cells),
    get hourCounts() {
      return home.hourCounts;
    },
    get workers() {
      return home.workers;
    },
    get facts() {
      return home.facts;
    },
    get time() {
      return home.time;
    },
    work: workOf(cells),
  };
}
