import type { Repositories } from '@partner-hiring/core/ports';
import type { Prepare } from './preparation.js';
import { prepareAccess } from './repositories/access.js';
import { prepareAlerts } from './repositories/alerts.js';
import { prepareApplications } from './repositories/applications.js';
import { prepareCompanies } from './repositories/companies.js';
import { prepareDeliveries } from './repositories/deliveries.js';
import { bindPoll } from './repositories/endpoints/poll-endpoints.js';
import { prepareEndpoints } from './repositories/endpoints.js';
import { prepareEvents } from './repositories/events.js';
import { prepareFeed } from './repositories/feed.js';
import { prepareJobs } from './repositories/jobs.js';
import { prepareKeyJobs } from './repositories/key-jobs.js';
import { prepareKeys } from './repositories/keys.js';
import { preparePartners } from './repositories/partners.js';
import { prepareRateWindows } from './repositories/rate-windows.js';
import { prepareResumeFiles } from './repositories/resume-files.js';
import { prepareSubmissions } from './repositories/submissions.js';
import { prepareTime } from './repositories/time.js';

/** All repositories, compiled once, to be bound to as many sessions as there are transactions. */
export const prepareRepositories: Prepare<Repositories> = (preparation) => {
  const bind = {
    partners: preparePartners(preparation),
    keys: prepareKeys(preparation),
    companies: prepareCompanies(preparation),
    access: prepareAccess(preparation),
    jobs: prepareJobs(preparation),
    keyJobs: prepareKeyJobs(preparation),
    applications: prepareApplications(preparation),
    submissions: prepareSubmissions(preparation),
    rateWindows: prepareRateWindows(preparation),
    feed: prepareFeed(preparation),
    events: prepareEvents(preparation),
    endpoints: prepareEndpoints(preparation),
    deliveries: prepareDeliveries(preparation),
    alerts: prepareAlerts(preparation),
    resumeFiles: prepareResumeFiles(preparation),
    time: prepareTime(preparation),
  };

  return (session) => ({
    partners: bind.partners(session),
    keys: bind.keys(session),
    companies: bind.companies(session),
    access: bind.access(session),
    jobs: bind.jobs(session),
    keyJobs: bind.keyJobs(session),
    applications: bind.applications(session),
    submissions: bind.submissions(session),
    rateWindows: bind.rateWindows(session),
    feed: bind.feed(session),
    events: bind.events(session),
    endpoints: { ...bind.endpoints(session), ...bindPoll(bind, session) },
    deliveries: bind.deliveries(session),
    alerts: bind.alerts(session),
    resumeFiles: bind.resumeFiles(session),
    time: bind.time(session),
  });
};
