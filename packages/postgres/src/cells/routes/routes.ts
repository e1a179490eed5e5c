import { keyOfBucket } from '@partner-hiring/core';
import { earliest, sum } from '../routing/merge.js';
import * as order from '../routing/orders.js';
import {
  afresh,
  allCells,
  countInTurn,
  each,
  everyCell,
  home,
  inTurn,
  inTurnBy,
  joined,
  merged,
  of,
  ofOrAll,
  type Routes,
  split,
  splitLoosely,
} from '../routing/route.js';
import { distinct, includesNull, isRefused, keyOfScope, lacksHead, noMiss } from '../routing/rows.js';
import { addPartner } from './add-partner.js';
import { addSubmissions, chargeAndAdd } from './charge-and-add.js';
import { backlogsOf, countFailing, listEndpoints, withEndpoint } from './endpoint-routes.js';
import {
  acknowledge,
  claimShares,
  inOrderOfKeys,
  listParked,
  retryParked,
  sumOfCounts,
} from './inbox-routes.js';
import { listByLastName } from './list-by-last-name.js';
import { takeStamps } from './take-stamps.js';
import { addJobs, saveJobs } from './write-jobs.js';

/** A row lives in the cell of its key, unless its repository says otherwise. A missing route does not compile. */
export const ROUTES: Routes = {
  partners: {
    add: addPartner,
    find: of('partner', (id) => id),
    list: merged(order.byAge),
  },
  keys: {
    add: of('partner', ({ partnerId }) => partnerId),
    find: of('key', (id) => id),
    findForUpdate: of('key', (id) => id),
    list: ofOrAll('partner', (id) => id, merged(order.byPartner)),
    addSecret: of('key', ({ keyId }) => keyId),
    saveSecrets: split('key', ({ keyId }) => keyId),
    listSecrets: of('key', (id) => id),
    listSecretsEach: each('key', (id) => id),
    findByHashes: each('secret', (hash) => hash),
    touchSecrets: splitLoosely('secret', (hash) => hash),
  },
  /** In every cell. The home cell answers, and its rows are the ones that commands lock. */
  companies: { add: everyCell, find: home, findForUpdate: home, save: everyCell, list: home },
  access: {
    find: of('key', (keyId) => keyId),
    save: of('key', ({ keyId }) => keyId),
    listOfCompanies: allCells((lists) => distinct(lists.flat(), (row) => `${row.keyId} ${row.companyId}`)),
    listOfKey: of('key', (keyId) => keyId),
  },
  /** In every cell. The home cell answers, except to a key, which asks its own cell. */
  jobs: {
    add: addJobs,
    save: saveJobs,
    find: home,
    listOfCompany: home,
    countOfCompany: home,
    findForKeys: each(
      'key',
      ({ keyId }) => keyId,
      (found) => found === null || found.access === null,
    ),
  },
  names: { ofKeys: each('key', (id) => id), ofCompanies: home, ofJobs: home },
  keyJobs: {
    find: of('key', (keyId) => keyId),
    listOfJobs: allCells((lists) => distinct(lists.flat(), (row) => `${row.keyId} ${row.jobId}`)),
    listOfCompany: of('key', (keyId) => keyId),
    save: split('key', ({ keyId }) => keyId),
    page: of('key', ({ keyId }) => keyId, lacksHead),
  },
  applications: {
    findOwned: each('key', ({ keyId }) => keyId),
    findBySourceIds: each('key', ({ keyId }) => keyId, noMiss),
    find: each('application', (id) => id),
    findForUpdate: each('application', (id) => id),
    findToErase: each('application', (id) => id),
    findKept: each('application', (id) => id),
    saveProgress: split('key', ({ keyId }) => keyId),
    saveResume: of('application', (id) => id),
    page: of('key', ({ keyId }) => keyId, lacksHead),
    listNewest: ofOrAll('key', keyOfScope, merged(order.newestApplicationFirst)),
    listChanges: of('key', ({ keyId }) => keyId),
    listBySourceId: merged(order.byKey),
    listByLastName,
    listErased: merged(order.oldestErasureFirst),
    fillLastNameKeys: countInTurn,
  },
  submissions: {
    findRecords: each('key', ({ keyId }) => keyId, noMiss),
    add: addSubmissions,
    chargeAndAdd,
    sweep: countInTurn,
  },
  /** A key is counted in its cell, and an address in the home cell. */
  rateWindows: {
    charge: each('key', ({ bucketId }) => keyOfBucket(bucketId) ?? '', noMiss),
    read: each('key', (bucketId) => keyOfBucket(bucketId) ?? '', noMiss),
    sweep: countInTurn,
  },
  feed: {
    take: takeStamps,
    takeSoon: takeStamps,
    takeFree: each('key', ({ keyId }) => keyId),
    listHeads: allCells(joined),
  },
  events: {
    append: split('key', ({ keyId }) => keyId),
    readLogs: each('key', ({ keyId }) => keyId),
    find: of('key', (keyId) => keyId, includesNull),
    findKey: allCells((found) => found.find((keyId) => keyId !== null) ?? null),
    findTypes: each('key', ({ keyId }) => keyId),
    listNewest: of('key', ({ keyId }) => keyId),
    listUnsent: merged(order.newestEventFirst),
    sweep: countInTurn,
  },
  /** A move keeps leases. */
  endpoints: {
    find: of('key', (keyId) => keyId),
    findEach: each('key', (id) => id),
    findForUpdate: of('key', (keyId) => keyId),
    save: of('key', ({ keyId }) => keyId),
    saveWarnings: split('key', ({ keyId }) => keyId),
    withEndpoint,
    list: listEndpoints,
    states: merged(order.byKey),
    listFailing: merged(order.longestFailingFirst),
    countFailing,
    listToWarn: inTurn,
    backlogs: ofOrAll('key', (keyId) => keyId, merged(order.byKey)),
    backlogsOf,
    lease: inTurn,
    markIdle: countInTurn,
    poll: each(
      'key',
      ({ keyId }) => keyId,
      ({ endpoint }) => endpoint === null,
    ),
    renew: each(
      'key',
      ({ keyId }) => keyId,
      (state) => state === 'lost',
    ),
    findLeased: each('key', ({ keyId }) => keyId),
    settle: split('key', ({ keyId }) => keyId),
    advanceWatermark: of('key', (keyId) => keyId, isRefused),
    release: splitLoosely('key', ({ keyId }) => keyId),
  },
  deliveries: {
    save: split('key', ({ keyId }) => keyId),
    listDue: each('key', ({ keyId }) => keyId),
    find: of('key', (keyId) => keyId, includesNull),
    findEach: each('key', ({ keyId }) => keyId),
    list: ofOrAll('key', ({ keyId }) => keyId, merged(order.newestDeliveryFirst)),
    listWaiting: of('key', ({ keyId }) => keyId),
    bringForward: of('key', (keyId) => keyId),
    findAttempts: of('key', (keyId) => keyId),
    listAttempts: of('key', ({ keyId }) => keyId),
    sweep: countInTurn,
  },
  evidence: {
    append: split('key', ({ keyId }) => keyId),
    find: each('key', ({ keyId }) => keyId),
    sweep: countInTurn,
  },
  /** An alert commits with the rows of its key, and so lives in the same cell. */
  alerts: {
    add: split('key', ({ keyId }) => keyId),
    claim: inTurnBy(order.oldestAlertFirst),
    settle: everyCell,
  },
  resumeFiles: {
    add: of('key', ({ keyId }) => keyId),
    claim: inTurnBy(order.byDue),
    claimOfOthers: inTurnBy(order.byDue),
    finish: of('application', (id) => id, isRefused),
    postpone: of('key', ({ keyId }) => keyId, isRefused),
  },
  resumeRemovals: {
    add: split('application', ({ applicationId }) => applicationId),
    find: each('application', (id) => id),
    counts: allCells((counts) => ({
      waiting: Math.min(sum(counts.map(({ waiting }) => waiting)), MOST_WAITING),
      oldestErasedAt: earliest(counts.map(({ oldestErasedAt }) => oldestErasedAt)),
    })),
    claim: inTurnBy(order.byDue),
    finish: split('application', (id) => id),
    postpone: split('application', ({ applicationId }) => applicationId),
  },
  /** A candidate's applications may be in any cell. Each is erased in the cell of its key. */
  candidates: {
    listByEmail: merged(order.byId),
    listBySpelling: merged(order.byId),
    listByPhone: merged(order.byId),
    fillEmailKeys: countInTurn,
    walk: merged(order.oldestApplicationFirst),
    findRecords: each('key', ({ keyId }) => keyId),
    findEvents: each('key', ({ keyId }) => keyId),
    findResumeFiles: each('application', (id) => id),
    listPostponed: allCells(joined),
    cancelResumeFiles: split('application', (id) => id, joined),
    erase: split('application', (id) => id, joined),
    saveErasedCounts: split('application', ({ id }) => id),
    findErasedCounts: each('application', (id) => id),
    clearSourceIds: split('application', ({ id }) => id),
    saveReplies: split('key', ({ keyId }) => keyId),
    saveBodies: split('key', ({ keyId }) => keyId),
    eraseExcerpts: split('key', ({ keyId }) => keyId, joined),
  },
  operations: 'home',
  /** Each cell has the switch, because inserts read it. */
  inbox: {
    isOn: home,
    turn: everyCell,
    add: split('key', ({ keyId }) => keyId),
    // An erasure has locked applications of these keys, so they do not move meanwhile.
    addErasures: afresh('key', ({ keyId }) => keyId),
    findErasures: each('key', ({ keyId }) => keyId),
    drop: afresh('key', ({ keyId }) => keyId, joined),
    findKeys: allCells(joined),
    addHeads: split('key', (id) => id),
    lockHeads: afresh('key', (id) => id),
    claim: claimShares(),
    claimAgain: afresh('key', ({ keyId }) => keyId, inOrderOfKeys),
    lease: claimShares(),
    finish: split('key', ({ keyId }) => keyId),
    acknowledge,
    postpone: split('key', ({ keyId }) => keyId),
    listParked,
    retryParked,
    counts: allCells(sumOfCounts),
    findEntry: of('key', ({ keyId }) => keyId),
    sweepReceipts: countInTurn,
  },
  audit: 'home',
  /** Requests without a key are logged in the home cell. */
  requests: {
    add: splitLoosely('key', ({ keyId }) => keyId),
    addReads: splitLoosely('key', ({ keyId }) => keyId),
    find: of('request', (requestId) => requestId),
    findOldest: of('application', (id) => id),
    list: ofOrAll('key', keyOfScope, merged(order.newestRequestFirst)),
    findLastReads: of('key', (keyId) => keyId),
    findCoveringReads: of('key', (keyId) => keyId),
    listReads: of('key', ({ keyId }) => keyId),
    sweep: countInTurn,
    sweepReads: countInTurn,
  },
  hourCounts: 'home',
  workers: 'home',
  leases: 'home',
  facts: 'home',
  time: 'home',
  /** Work may be due in any cell. All cells share the notifications and the clock. */
  work: {
    announce: home,
    findNext: allCells((found) => ({
      now: Math.max(...found.map(({ now }) => now)),
      dueAt: earliest(found.map(({ dueAt }) => dueAt)),
    })),
    findExpired: allCells((found) => [...new Set(found.flat())]),
  },
};

/** Counts stop here in each cell. */
const MOST_WAITING = 10_000;
