import type { Repositories, Storage } from '@partner-hiring/core/ports';
import { itemsOf } from './batch.js';
import { prepareDeliveries } from './deliveries/delivery-repository.js';
import type { Dialect } from './dialect.js';
import type { Driver, FileIdentity } from './driver.js';
import { prepareEndpoints } from './endpoints/endpoint-repository.js';
import { prepareEvents } from './events/event-repository.js';
import { prepareEvidence } from './evidence/evidence-repository.js';
import {
  EMPTIED_TABLES,
  FEATURE_METHODS,
  FEATURE_REPOSITORIES,
  SUBMISSION_PARTS,
  WORK_PARTS,
} from './features/features.js';
import { makeWhenRead } from './make-when-read.js';
import { type Preparation, type Prepare, withMethods } from './preparation.js';
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

type Prepares = { readonly [Name in keyof Repositories]: Prepare<Repositories[Name]> };

/** A repository that the list of features has too, or that neither has, does not compile. */
const BASE_REPOSITORIES: Omit<Prepares, keyof typeof FEATURE_REPOSITORIES> = {
  partners: preparePartners,
  keys: prepareKeys,
  companies: prepareCompanies,
  access: prepareAccess,
  jobs: prepareJobs,
  names: prepareNames,
  keyJobs: prepareKeyJobs,
  applications: withMethods(prepareApplications, FEATURE_METHODS.applications),
  submissions: (preparation) => prepareSubmissions(preparation, SUBMISSION_PARTS),
  rateWindows: prepareRateWindows,
  feed: prepareFeed,
  events: withMethods(prepareEvents, FEATURE_METHODS.events),
  endpoints: prepareEndpoints,
  deliveries: prepareDeliveries,
  evidence: prepareEvidence,
  hourCounts: prepareHourCounts,
  workers: prepareWorkers,
  deployment: (preparation) => prepareDeployment(preparation, EMPTIED_TABLES),
  facts: prepareStorageFacts,
  time: prepareTime,
  work: (preparation) => prepareWork(preparation, WORK_PARTS),
};

const REPOSITORIES: Prepares = { ...BASE_REPOSITORIES, ...FEATURE_REPOSITORIES };

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
