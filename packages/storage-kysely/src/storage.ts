import type { Repositories, Storage } from '@partner-hiring/core/ports';
import { itemsOf } from './batch.js';
import { prepareDeliveries } from './deliveries/delivery-repository.js';
import type { Dialect } from './dialect.js';
import type { Driver, FileIdentity } from './driver.js';
import { prepareEndpoints } from './endpoints/endpoint-repository.js';
import { prepareEvents } from './events/event-repository.js';
import { prepareEvidence } from './evidence/evidence-repository.js';
import { prepareAlerts } from './features/alerts/queries.js';
import { prepareAudit } from './features/audit/queries.js';
import { prepareInbox } from './features/inbox/queries.js';
import { prepareJobSyncs } from './features/jobs-sync/queries.js';
import { prepareOperations } from './features/operations/queries.js';
import { preparePortalPasses } from './features/portal/queries.js';
import { prepareCandidates } from './features/privacy/queries.js';
import { prepareReadiness } from './features/readiness/queries.js';
import { prepareRequests } from './features/request-log/queries.js';
import { prepareResumeFiles } from './features/resumes/queries.js';
import { prepareResumeRemovals } from './features/resumes/removal-queries.js';
import { makeWhenRead } from './make-when-read.js';
import type { Preparation, Prepare } from './preparation.js';
import { prepareApplications } from './repositories/applications.js';
import { prepareFeed } from './repositories/feed.js';
import { prepareJobs } from './repositories/jobs.js';
import { prepareKeyJobs } from './repositories/key-jobs.js';
import { prepareKeys } from './repositories/keys.js';
import { prepareNames } from './repositories/names.js';
import { prepareAccess, prepareCompanies, preparePartners } from './repositories/partners-and-companies.js';
import { prepareRateWindows } from './repositories/rate-windows.js';
import { createDirectSession, createHostSession, createTransactionSession, type Session } from './session.js';
import { prepareSubmissions } from './submissions/submission-repository.js';
import { prepareDeployment } from './system/deployment.js';
import { prepareHourCounts, prepareStorageFacts, prepareTime, prepareWorkers } from './system/system.js';
import { prepareWork } from './system/work.js';

export function createKyselyStorage<HostTx, StorageTx>(
  dialect: Dialect,
  driver: Driver<HostTx, StorageTx>,
): Storage<HostTx, StorageTx> {
  const bind = prepareRepositories(toPreparation(dialect, driver));
  return { ...createStorage(driver, bind), announcesWork: dialect.announceWork !== null };
}

export function toPreparation(
  dialect: Dialect,
  { now, fileIdentity = ON_SERVER }: Pick<Driver<never>, 'now' | 'fileIdentity'>,
): Preparation {
  return { ...dialect, items: itemsOf(dialect.batches), now, fileIdentity };
}

const ON_SERVER: FileIdentity = { path: '', inode: '' };

/** Creates a storage whose repositories run their statements in the sessions of a driver. */
export function createStorage<HostTx, StorageTx>(
  driver: Driver<HostTx, StorageTx>,
  bind: (session: Session) => Repositories,
): Storage<HostTx, StorageTx> {
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

const REPOSITORIES: { readonly [Name in keyof Repositories]: Prepare<Repositories[Name]> } = {
  partners: preparePartners,
  keys: prepareKeys,
  companies: prepareCompanies,
  access: prepareAccess,
  jobs: prepareJobs,
  jobSyncs: prepareJobSyncs,
  names: prepareNames,
  keyJobs: prepareKeyJobs,
  applications: prepareApplications,
  submissions: prepareSubmissions,
  rateWindows: prepareRateWindows,
  feed: prepareFeed,
  events: prepareEvents,
  endpoints: prepareEndpoints,
  deliveries: prepareDeliveries,
  evidence: prepareEvidence,
  alerts: prepareAlerts,
  resumeFiles: prepareResumeFiles,
  resumeRemovals: prepareResumeRemovals,
  candidates: prepareCandidates,
  operations: prepareOperations,
  inbox: prepareInbox,
  audit: prepareAudit,
  portalPasses: preparePortalPasses,
  requests: prepareRequests,
  readiness: prepareReadiness,
  hourCounts: prepareHourCounts,
  workers: prepareWorkers,
  deployment: prepareDeployment,
  facts: prepareStorageFacts,
  time: prepareTime,
  work: prepareWork,
};

/**
 * Prepares all repositories once. The result can be bound to any number of sessions. A session makes only what it uses,
 * and each statement is compiled when it first runs.
 */
export function prepareRepositories(preparation: Preparation): (session: Session) => Repositories {
  const repositories = Object.fromEntries(
    Object.entries(REPOSITORIES).map(([name, prepare]) => [name, prepare(preparation) as Methods]),
  );
  return (session) =>
    makeWhenRead(repositories, (methods) =>
      makeWhenRead(
        methods,
        (method) =>
          (...args: unknown[]) =>
            method(session, ...args),
      ),
    ) as unknown as Repositories;
}

type Methods = Readonly<Record<string, (session: Session, ...args: unknown[]) => unknown>>;
