import type { Repositories, Storage } from '@partner-hiring/core/ports';
import { itemsOf } from './batch.js';
import { prepareDeliveries } from './deliveries/delivery-repository.js';
import type { Dialect } from './dialect.js';
import type { Driver } from './driver.js';
import { prepareEndpoints } from './endpoints/endpoint-repository.js';
import { prepareEvents } from './events/event-repository.js';
import type { Prepare } from './preparation.js';
import { prepareAccess } from './repositories/access.js';
import { prepareAlerts } from './repositories/alerts.js';
import { prepareApplications } from './repositories/applications.js';
import { prepareCompanies } from './repositories/companies.js';
import { prepareFeed } from './repositories/feed.js';
import { prepareJobs } from './repositories/jobs.js';
import { prepareKeyJobs } from './repositories/key-jobs.js';
import { prepareKeys } from './repositories/keys.js';
import { preparePartners } from './repositories/partners.js';
import { prepareRateWindows } from './repositories/rate-windows.js';
import { prepareResumeFiles } from './repositories/resume-files.js';
import { prepareTime } from './repositories/time.js';
import { createDirectSession, createHostSession, createTransactionSession } from './session.js';
import { prepareSubmissions } from './submissions/submission-repository.js';

export function createKyselyStorage<HostTx>(dialect: Dialect, driver: Driver<HostTx>): Storage<HostTx> {
  const preparation = { ...dialect, items: itemsOf(dialect.batches), now: driver.now };
  const bind = prepareRepositories(preparation);
  return {
    direct: bind(createDirectSession(driver)),
    transaction: (work) => driver.write((ways) => work(bind(createTransactionSession(ways)))),
    within: (hostTx) => bind(createHostSession(driver.adopt(hostTx))),
    close: driver.close,
  };
}

/** Compiles all repositories once, to bind to any number of sessions. */
const prepareRepositories: Prepare<Repositories> = (preparation) => {
  const bindEvents = prepareEvents(preparation);
  const bindDeliveries = prepareDeliveries(preparation);
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
    events: bindEvents,
    endpoints: prepareEndpoints(preparation, { bindEvents, bindDeliveries }),
    deliveries: bindDeliveries,
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
    endpoints: bind.endpoints(session),
    deliveries: bind.deliveries(session),
    alerts: bind.alerts(session),
    resumeFiles: bind.resumeFiles(session),
    time: bind.time(session),
  });
};
