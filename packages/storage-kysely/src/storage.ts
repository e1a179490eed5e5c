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
import { prepareAccess } from './repositories/access.js';
import { prepareAlerts } from './repositories/alerts.js';
import { prepareApplications } from './repositories/applications.js';
import { prepareAudit } from './repositories/audit.js';
import { prepareCompanies } from './repositories/companies.js';
import { prepareFeed } from './repositories/feed.js';
import { prepareJobs } from './repositories/jobs.js';
import { prepareKeyJobs } from './repositories/key-jobs.js';
import { prepareKeys } from './repositories/keys.js';
import { prepareNames } from './repositories/names.js';
import { prepareOperations } from './repositories/operations.js';
import { preparePartners } from './repositories/partners.js';
import { prepareRateWindows } from './repositories/rate-windows.js';
import { prepareResumeFiles } from './repositories/resume-files.js';
import { prepareTime } from './repositories/time.js';
import { prepareRequests } from './requests/request-repository.js';
import { createDirectSession, createHostSession, createTransactionSession } from './session.js';
import { prepareSubmissions } from './submissions/submission-repository.js';
import { prepareHourCounts } from './system/hour-counts.js';
import { prepareStorageFacts } from './system/storage-facts.js';
import { prepareWork } from './system/work.js';
import { prepareWorkers } from './system/workers.js';

export function createKyselyStorage<HostTx, OwnTx>(
  dialect: Dialect,
  driver: Driver<HostTx, OwnTx>,
): Storage<HostTx, OwnTx> {
  const preparation = { ...dialect, items: itemsOf(dialect.batches), now: driver.now };
  const bind = prepareRepositories(preparation);
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
    announcesWork: dialect.announceWork !== null,
    close: driver.close,
  };
}

/** Compiles all repositories once. The result can be bound to any number of sessions. */
export const prepareRepositories: Prepare<Repositories> = (preparation) => {
  const bindEvents = prepareEvents(preparation);
  const bindDeliveries = prepareDeliveries(preparation);
  const bind = {
    partners: preparePartners(preparation),
    keys: prepareKeys(preparation),
    companies: prepareCompanies(preparation),
    access: prepareAccess(preparation),
    jobs: prepareJobs(preparation),
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
    requests: prepareRequests(preparation),
    hourCounts: prepareHourCounts(preparation),
    workers: prepareWorkers(preparation),
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
    requests: bind.requests(session),
    hourCounts: bind.hourCounts(session),
    workers: bind.workers(session),
    facts: bind.facts(session),
    time: bind.time(session),
    work: bind.work(session),
  });
};

/**
 * Like {@link prepareRepositories}, but compiles each repository when it is first used. A storage with many cells would
 * otherwise compile for seconds, and most processes use few repositories of a cell.
 */
export const prepareWhenUsed: Prepare<Repositories> = (preparation) => {
  const bindEvents = whenUsed(prepareEvents, preparation);
  const bindDeliveries = whenUsed(prepareDeliveries, preparation);
  const bindEndpoints = whenUsed(
    (each: Preparation) => prepareEndpoints(each, { bindEvents, bindDeliveries }),
    preparation,
  );
  const partners = whenUsed(preparePartners, preparation);
  const keys = whenUsed(prepareKeys, preparation);
  const companies = whenUsed(prepareCompanies, preparation);
  const access = whenUsed(prepareAccess, preparation);
  const jobs = whenUsed(prepareJobs, preparation);
  const names = whenUsed(prepareNames, preparation);
  const keyJobs = whenUsed(prepareKeyJobs, preparation);
  const applications = whenUsed(prepareApplications, preparation);
  const submissions = whenUsed(prepareSubmissions, preparation);
  const rateWindows = whenUsed(prepareRateWindows, preparation);
  const feed = whenUsed(prepareFeed, preparation);
  const evidence = whenUsed(prepareEvidence, preparation);
  const alerts = whenUsed(prepareAlerts, preparation);
  const resumeFiles = whenUsed(prepareResumeFiles, preparation);
  const resumeRemovals = whenUsed(prepareResumeRemovals, preparation);
  const candidates = whenUsed(prepareCandidates, preparation);
  const operations = whenUsed(prepareOperations, preparation);
  const inbox = whenUsed(prepareInbox, preparation);
  const audit = whenUsed(prepareAudit, preparation);
  const requests = whenUsed(prepareRequests, preparation);
  const hourCounts = whenUsed(prepareHourCounts, preparation);
  const workers = whenUsed(prepareWorkers, preparation);
  const facts = whenUsed(prepareStorageFacts, preparation);
  const time = whenUsed(prepareTime, preparation);
  const work = whenUsed(prepareWork, preparation);
  return (session) => ({
    get partners() {
      return partners(session);
    },
    get keys() {
      return keys(session);
    },
    get companies() {
      return companies(session);
    },
    get access() {
      return access(session);
    },
    get jobs() {
      return jobs(session);
    },
    get names() {
      return names(session);
    },
    get keyJobs() {
      return keyJobs(session);
    },
    get applications() {
      return applications(session);
    },
    get submissions() {
      return submissions(session);
    },
    get rateWindows() {
      return rateWindows(session);
    },
    get feed() {
      return feed(session);
    },
    get events() {
      return bindEvents(session);
    },
    get endpoints() {
      return bindEndpoints(session);
    },
    get deliveries() {
      return bindDeliveries(session);
    },
    get evidence() {
      return evidence(session);
    },
    get alerts() {
      return alerts(session);
    },
    get resumeFiles() {
      return resumeFiles(session);
    },
    get resumeRemovals() {
      return resumeRemovals(session);
    },
    get candidates() {
      return candidates(session);
    },
    get operations() {
      return operations(session);
    },
    get inbox() {
      return inbox(session);
    },
    get audit() {
      return audit(session);
    },
    get requests() {
      return requests(session);
    },
    get hourCounts() {
      return hourCounts(session);
    },
    get workers() {
      return workers(session);
    },
    get facts() {
      return facts(session);
    },
    get time() {
      return time(session);
    },
    get work() {
      return work(session);
    },
  });
};

function whenUsed<Repository>(
  prepare: Prepare<Repository>,
  preparation: Preparation,
): ReturnType<Prepare<Repository>> {
  let bind: ReturnType<Prepare<Repository>> | null = null;
  return (session) => {
    bind ??= prepare(preparation);
    return bind(session);
  };
}
