import type {
  AgePosition,
  ApplicationRecord,
  LoggedEvent,
  NewestPosition,
  PartnerKey,
  PostponedEntry,
  RequestPosition,
  ResumeRemoval,
  SentAlert,
  StoredDelivery,
  StoredEndpoint,
} from '@partner-hiring/core/ports';
import { compare, type Order } from './merge.js';

/** The orders of the lists, as the `order by` of each query. */

interface OfKey {
  readonly keyId: string;
}

export const byKey: Order<OfKey> = (one, other) => compare(one.keyId, other.keyId);

export const byId: Order<Pick<ApplicationRecord, 'id'>> = (one, other) => compare(one.id, other.id);

export const byAge: Order<AgePosition<string>> = (one, other) =>
  compare(one.createdAt, other.createdAt) || compare(one.id, other.id);

export const byPartner: Order<Pick<PartnerKey, 'partnerId' | 'environment'>> = (one, other) =>
  compare(one.partnerId, other.partnerId) || compare(one.environment, other.environment);

/** Endpoints have this order if all are read at once. Pages are in the order of their keys. */
export const byAgeAndKey: Order<OfKey & { readonly createdAt: number }> = (one, other) =>
  compare(one.createdAt, other.createdAt) || byKey(one, other);

export const longestFailingFirst: Order<StoredEndpoint> = (one, other) =>
  compare(one.health.firstFailureAt ?? 0, other.health.firstFailureAt ?? 0) || byKey(one, other);

export const longestPausedFirst: Order<StoredEndpoint> = (one, other) =>
  compare(pausedAtOf(one), pausedAtOf(other)) || byKey(one, other);

function pausedAtOf({ state }: StoredEndpoint): number {
  return state.kind === 'paused' ? state.pausedAt : 0;
}

export const newestApplicationFirst: Order<NewestPosition> = (one, other) =>
  compare(other.submittedAt, one.submittedAt) || compare(other.id, one.id);

export const oldestApplicationFirst: Order<NewestPosition> = (one, other) =>
  compare(one.submittedAt, other.submittedAt) || byId(one, other);

export const oldestErasureFirst: Order<ApplicationRecord> = (one, other) =>
  compare(one.erasedAt ?? 0, other.erasedAt ?? 0) || byId(one, other);

export const longestUnchangedFirst: Order<ApplicationRecord> = (one, other) =>
  compare(one.changedAt, other.changedAt) || byId(one, other);

export const newestFailedResumeFirst: Order<ApplicationRecord> = (one, other) =>
  compare(failedAtOf(other), failedAtOf(one)) || compare(other.id, one.id);

function failedAtOf({ resume }: ApplicationRecord): number {
  return resume.kind === 'failed' ? resume.failedAt : 0;
}

export const newestEventFirst: Order<LoggedEvent> = (one, other) =>
  compare(other.at, one.at) || compare(other.id, one.id);

export const newestDeliveryFirst: Order<Pick<StoredDelivery, 'eventAt' | 'eventId'>> = (one, other) =>
  compare(other.eventAt, one.eventAt) || compare(other.eventId, one.eventId);

export const newestRequestFirst: Order<RequestPosition> = (one, other) =>
  compare(other.at, one.at) || compare(other.requestId, one.requestId);

export const byDue: Order<Pick<ResumeRemoval, 'applicationId' | 'dueAt'>> = (one, other) =>
  compare(one.dueAt, other.dueAt) || compare(one.applicationId, other.applicationId);

export const byRefusedEntry: Order<Pick<PostponedEntry, 'keyId' | 'at' | 'applicationId'>> = (one, other) =>
  byKey(one, other) || compare(one.at, other.at) || compare(one.applicationId, other.applicationId);

export const newestSentFirst: Order<SentAlert> = (one, other) =>
  compare(other.sentAt, one.sentAt) || compare(other.id, one.id);

export const oldestAlertFirst: Order<{ readonly at: number; readonly id: string }> = (one, other) =>
  compare(one.at, other.at) || compare(one.id, other.id);
