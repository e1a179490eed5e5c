import type { Repositories, Storage } from '@partner-hiring/core/ports';
import { itemsOf } from './batch.js';
import { prepareCandidates } from './candidates/candidate-repository.js';
import { prepareResumeRemovals } from './candidates/resume-removals.js';
import { prepareDeliveries } from './deliveries/delivery-repository.js';
import type { Dialect } from './dialect.js';
import type { Driver } from './driver.js';
import { prepareEndpoints } from './endpoints/endpoint-repository.js';
import { prepareEvents } from './events/event-repository.js';
import { prepareEvidence } from './evidence/evidence-repository.js';
import { prepareInbox } from './inbox/inbox-repository.js';
import type { Preparation, Prepare } from './preparation.js';
import { prepareAlerts } from './repositories/alerts.js';
import { prepareApplications } from './repositories/applications.js';
import { prepareAudit } from './repositories/audit.js';
import { prepareFeed } from './repositories/feed.js';
import { prepareJobSyncs } from './repositories/job-syncs.js';
import { prepareJobs } from './repositories/jobs.js';
import { prepareKeyJobs } from './repositories/key-jobs.js';
import { prepareKeys } from './repositories/keys.js';
import { prepareNames } from './repositories/names.js';
import { prepareOperations } from './repositories/operations.js';
import { prepareAccess, prepareCompanies, preparePartners } from './repositories/partners-and-companies.js';
import { preparePortalPasses } from './repositories/portal-passes.js';
import { prepareRateWindows } from './repositories/rate-windows.js';
import { prepareResumeFiles } from './repositories/resume-files.js';
import { prepareTime } from './repositories/time.js';
import { prepareReadiness } from './requests/readiness-repository.js';
import { prepareRequests } from './requests/request-repository.js';
import { createDirectSession, createHostSession, createTransactionSession, type Session } from './session.js';
import { prepareSubmissions } from './submissions/submission-repository.js';
import { prepareLeases } from './system/leases.js';
import { prepareHourCounts, prepareStorageFacts, prepareWorkers } from './system/system.js';
import { prepareWork } from './system/work.js';

export function createKyselyStorage<HostTx, OwnTx>(
  dialect: Dialect,
  driver: Driver<HostTx, OwnTx>,
): Storage<HostTx, OwnTx> {
  const bind = prepareRepositories(toPreparation(dialect, driver));
  return { ...createStorage(driver, bind), announcesWork: dialect.announceWork !== null };
}

export function toPreparation(dialect: Dialect, { now }: Pick<Driver<never>, 'now'>): Preparation {
  return { ...dialect, items: itemsOf(dialect.batches), now };
}

/** Creates a storage whose repositories run their statements in the sessions of a driver. */
export function createStorage<HostTx, OwnTx>(
  driver: Driver<HostTx, OwnTx>,
  bind: (session: Session) => Repositories,
): Storage<HostTx, OwnTx> {
  return {
    direct: bind(createDirectSession(driver)),
    transaction: (work) => driver.write((ways) => work(bind(createTransactionSession(ways)))),
    within: (hostTx) => bind(createHostSession(driver.adopt(hostTx))),
    hostTransactions: {
      areExclusive: driver.areWritesExclusive,
      runAlone: driver.runAlone,
      run: (work) => driver.openForHost((tx, execute) => work(tx, bind(createHostSession(execute)))),
    },
    ...(driver.rewriteErased === undefined ? {} : { rewriteErased: driver.rewriteErased }),
    close: driver.close,
  };
}

/**
 * Prepares all repositories once. The result can be bound to any number of sessions. Each statement is compiled when it
 * first runs.
 */
export const prepareRepositories: Prepare<Repositories> = (preparation) => {
  const bindEvents = prepareEvents(preparation);
  const bindDeliveries = prepareDeliveries(preparation);
  const bind = {
    partners: preparePartners(preparation),
    keys: prepareKeys(preparation),
    companies: prepareCompanies(preparation),
    access: prepareAccess(preparation),
    jobs: prepareJobs(preparation),
    jobSyncs: prepareJobSyncs(preparation),
    names: prepareNames(preparation),
    keyJobs: prepareKeyJobs(preparation),
    applications: prepareApplications(preparation),
    submissions: prepareSubmissions(preparation),
    rateWindows: prepareRateWindows(preparation),
    feed: prepareFeed(preparation),
    events: bindEvents,
    endpoints: prepareEndpoints(preparation, { bindEvents, bindDeliveries }),
    deliveries: bindDeliveries,
    evidence: prepareEvidence(preparation),
    alerts: prepareAlerts(preparation),
    resumeFiles: prepareResumeFiles(preparation),
    resumeRemovals: prepareResumeRemovals(preparation),
    candidates: prepareCandidates(preparation),
    operations: prepareOperations(preparation),
    inbox: prepareInbox(preparation),
    audit: prepareAudit(preparation),
    portalPasses: preparePortalPasses(preparation),
    requests: prepareRequests(preparation),
    readiness: prepareReadiness(preparation),
    hourCounts: prepareHourCounts(preparation),
    workers: prepareWorkers(preparation),
    leases: prepareLeases(preparation),
    facts: prepareStorageFacts(preparation),
    time: prepareTime(preparation),
    work: prepareWork(preparation),
  };

  return (session) => ({
    partners: bind.partners(session),
    keys: bind.keys(session),
    companies: bind.companies(session),
    access: bind.access(session),
    jobs: bind.jobs(session),
    jobSyncs: bind.jobSyncs(session),
    names: bind.names(session),
    keyJobs: bind.keyJobs(session),
    applications: bind.applications(session),
    submissions: bind.submissions(session),
    rateWindows: bind.rateWindows(session),
    feed: bind.feed(session),
    events: bind.events(session),
    endpoints: bind.endpoints(session),
    deliveries: bind.deliveries(session),
    evidence: bind.evidence(session),
    alerts: bind.alerts(session),
    resumeFiles: bind.resumeFiles(session),
    resumeRemovals: bind.resumeRemovals(session),
    candidates: bind.candidates(session),
    operations: bind.operations(session),
    inbox: bind.inbox(session),
    audit: bind.audit(session),
    portalPasses: bind.portalPasses(session),
    requests: bind.requests(session),
    readiness: bind.readiness(session),
    hourCounts: bind.hourCounts(session),
    workers: bind.workers(session),
    leases: bind.leases(session),
    facts: bind.facts(session),
    time: bind.time(session),
    work: bind.work(session),
  });
};
