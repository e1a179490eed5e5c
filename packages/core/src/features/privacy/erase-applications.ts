import { type ApplicationRecord, type Consent, consentOf } from '../../domain/application.js';
import type { AuditObject } from '../../domain/audit.js';
import { applicationOfEvent, type PartnerEvent, withoutSourceApplicationId } from '../../domain/event.js';
import type { ApplicationId } from '../../domain/ids.js';
import { endOfResume } from '../../domain/resume.js';
import type { Instant } from '../../domain/time.js';
import { findEvents } from '../../groups/deliveries/find-events.js';
import { groupBy } from '../../operator/group-by.js';
import type { Scope } from '../../operator/scope.js';
import { findErasureItems } from '../inbox/find-entries.js';
import type { InboxQuestion } from '../inbox/repository.js';
import type { ErasureItem } from '../inbox/rules.js';
import type { ClearedSourceId } from './repository.js';
import { ERASED_KINDS, type ErasureCounts, erasureNotice, resumeRemovalOf } from './rules.js';

/** For each kind of value, the application of each erased value. */
export type ErasedValues = { readonly [Kind in keyof ErasureCounts]: readonly ApplicationId[] };

function countsFrom(countOf: (kind: keyof ErasureCounts) => number): ErasureCounts {
  return Object.fromEntries(ERASED_KINDS.map((kind) => [kind, countOf(kind)])) as unknown as ErasureCounts;
}

export function countAll(values: ErasedValues): ErasureCounts {
  return countsFrom((kind) => values[kind].length);
}

export function countOfOne(values: ErasedValues, id: ApplicationId): ErasureCounts {
  return countsFrom((kind) => values[kind].filter((each) => each === id).length);
}

export function sumCounts(all: readonly ErasureCounts[]): ErasureCounts {
  return countsFrom((kind) => all.reduce((sum, counts) => sum + counts[kind], 0));
}

export function isNothing(counts: ErasureCounts): boolean {
  return ERASED_KINDS.every((kind) => counts[kind] === 0);
}

export interface ErasureRules {
  readonly clearSourceApplicationId: boolean;
}

/** An application that a command erased. */
export interface ErasedApplication extends Pick<ApplicationRecord, 'id' | 'keyId' | 'companyId' | 'jobId'> {
  readonly consent: Consent;
  /** Whether this call cleared the partner's own id. */
  readonly sourceApplicationIdCleared: boolean;
  /** Whether this call erased something; false if the data had been erased before. */
  readonly changed: boolean;
  /** When the candidate was erased, maybe by an earlier run. */
  readonly erasedAt: Instant;
  /**
   * The counts of this run and of earlier ones; null if an older release erased the application: it did not store
   * counts.
   */
  readonly counts: ErasureCounts | null;
  /** The inbox item that tells the host of the erasure; null if the inbox was off at that time. */
  readonly erasureItem: ErasureItem | null;
}

export interface Erasure {
  readonly at: Instant;
  readonly applications: readonly ErasedApplication[];
  /** The counts of this run. */
  readonly counts: ErasureCounts;
  /** The steps that the host must take itself, because no inbox item tells it; null if nothing is left to do. */
  readonly notice: string | null;
}

/**
 * Erases the candidates of applications, and records an inbox item for each. Cancels downloads before it locks the
 * applications: a worker that records a download locks in the same order, so the two cannot deadlock. Waits for
 * transactions that hand the applications over to the host. Otherwise, they could commit a candidate after the erasure.
 * @param isDue - checked again under the lock, because an application may have changed meanwhile.
 */
export async function eraseApplications(
  scope: Scope,
  ids: readonly ApplicationId[],
  { clearSourceApplicationId }: ErasureRules,
  isDue: (application: ApplicationRecord) => boolean = () => true,
): Promise<Erasure> {
  const { tx } = scope;
  const cancelled = await tx.candidates.cancelResumeFiles(ids);
  const locked = (await tx.applications.findToErase(ids)).filter((found) => found !== null);
  const due = locked.filter(isDue);
  const fresh = due.filter(({ erasedAt }) => erasedAt === null);
  const clearing = due.filter((each) => clearSourceApplicationId && each.sourceApplicationId !== null);
  const at = await scope.now();
  const leases = new Map(cancelled.map(({ applicationId, leaseUntil }) => [applicationId, leaseUntil]));
  const removals = fresh.flatMap((each) => resumeRemovalOf(each, leases.get(each.id) ?? 0, at) ?? []);
  if (removals.length > 0) {
    await tx.resumeRemovals.add(removals);
    scope.workIsDue();
  }
  const inboxItems = fresh.length === 0 ? [] : await eraseFresh(scope, fresh, at);
  const events = await findEvents(scope, due);
  const excerpts = await tx.candidates.eraseExcerpts(events.map(({ keyId, id }) => ({ keyId, eventId: id })));
  const cleared = await clearSourceIds(scope, clearing, events, at);
  const values: ErasedValues = {
    applications: idsOf(fresh),
    sourceApplicationIds: idsOf(clearing),
    ...cleared,
    inboxItems,
    excerpts: excerpts.flatMap(({ eventId }) => events.filter(({ id }) => id === eventId).flatMap(ownerOf)),
    resumeDownloads: cancelled.map(({ applicationId }) => applicationId),
    resumeFiles: removals.map(({ applicationId }) => applicationId),
  };
  const counts = await saveCounts(scope, due, values);
  const items = await findErasureItems(tx, due);
  const isRecorded = items.every((item) => item !== null);
  return {
    at,
    applications: due.map((each, index) => ({
      ...describe(each, clearing.includes(each), items[index] ?? null),
      erasedAt: each.erasedAt ?? at,
      counts: counts.get(each.id) ?? null,
    })),
    notice: erasureNotice(isRecorded, isRecorded || (await tx.inbox.isOn())),
    counts: countAll(values),
  };
}

/**
 * Adds the counts of this run to those of earlier runs, and returns the sums. Leaves out applications that a release
 * without counts has erased.
 */
async function saveCounts(
  { tx }: Scope,
  due: readonly ApplicationRecord[],
  values: ErasedValues,
): Promise<ReadonlyMap<ApplicationId, ErasureCounts>> {
  const earlier = await tx.candidates.findErasedCounts(idsOf(due));
  const sums = new Map<ApplicationId, ErasureCounts>();
  const changed: { readonly id: ApplicationId; readonly counts: ErasureCounts }[] = [];
  for (const [index, { id, erasedAt }] of due.entries()) {
    const before = earlier[index] ?? null;
    if (before === null && erasedAt !== null) continue;
    const own = countOfOne(values, id);
    const counts = before === null ? own : sumCounts([before, own]);
    sums.set(id, counts);
    if (!isNothing(own)) changed.push({ id, counts });
  }
  await tx.candidates.saveErasedCounts(changed);
  return sums;
}

function ownerOf(event: PartnerEvent): readonly ApplicationId[] {
  return [applicationOfEvent(event)].filter((id) => id !== null);
}

/**
 * Erases the data of candidates that were not erased before. Returns the application of each inbox item that it
 * dropped.
 */
async function eraseFresh(
  { tx, workIsDue }: Scope,
  fresh: readonly ApplicationRecord[],
  at: Instant,
): Promise<readonly ApplicationId[]> {
  const refused = await tx.candidates.erase(idsOf(fresh), at);
  const waiting = await tx.inbox.drop(fresh.flatMap(questionsOf));
  await tx.inbox.addErasures(fresh.map(({ id, keyId }) => ({ applicationId: id, keyId, at })));
  workIsDue();
  return [...refused, ...waiting];
}

/** The entries that the inbox may have of an application. */
function questionsOf({ id, keyId, submittedAt, resume }: ApplicationRecord): readonly InboxQuestion[] {
  const asked = { keyId, applicationId: id };
  const resumeAt = endOfResume(resume);
  return [{ ...asked, from: submittedAt }, ...(resumeAt === null ? [] : [{ ...asked, from: resumeAt }])];
}

export function objectsOfErasure(applications: readonly ErasedApplication[]): readonly AuditObject[] {
  return applications.map(({ id }) => ({ kind: 'application', id }));
}

function describe(
  application: ApplicationRecord,
  isCleared: boolean,
  erasureItem: ErasureItem | null,
): Omit<ErasedApplication, 'erasedAt' | 'counts'> {
  const { id, keyId, companyId, jobId, erasedAt } = application;
  const consent = consentOf(application);
  const changed = erasedAt === null || isCleared;
  const sourceApplicationIdCleared = isCleared;
  return { id, keyId, companyId, jobId, consent, sourceApplicationIdCleared, changed, erasureItem };
}

function idsOf(applications: readonly ApplicationRecord[]): readonly ApplicationId[] {
  return applications.map(({ id }) => id);
}

/**
 * Partners see the change, so each application takes a stamp. Stamps are taken last, because taking one locks the key's
 * feed.
 */
async function clearSourceIds(
  scope: Scope,
  applications: readonly ApplicationRecord[],
  events: readonly PartnerEvent[],
  now: Instant,
): Promise<Pick<ErasedValues, 'replies' | 'events'>> {
  if (applications.length === 0) return { replies: [], events: [] };
  const { tx, withoutSourceId } = scope;
  const records = (await tx.candidates.findRecords(applications)).filter((record) => record !== null);
  await tx.candidates.saveReplies(
    records.map((record) => ({ ...record, reply: withoutSourceId(record.reply) })),
  );
  const stamped = new Set(
    applications.map(({ keyId, lastStatusChangeAt }) => `${keyId} ${lastStatusChangeAt}`),
  );
  const bodies = events
    .filter(({ keyId, at }) => stamped.has(`${keyId} ${at}`))
    .map((event) => ({ ...event, body: withoutSourceApplicationId(event.body) }));
  // Before the events: a sweep that deletes them has locked the feed first.
  const stamps = await takeStamps(scope, applications, now);
  await tx.candidates.saveBodies(bodies);
  await tx.candidates.clearSourceIds(stamps);
  return {
    replies: records.map(({ applicationId }) => applicationId),
    events: bodies.flatMap(ownerOf),
  };
}

async function takeStamps(
  { tx }: Scope,
  applications: readonly ApplicationRecord[],
  now: Instant,
): Promise<readonly ClearedSourceId[]> {
  const byKey = groupBy(applications, ({ keyId }) => keyId);
  const requests = [...byKey].map(([keyId, own]) => ({ keyId, count: own.length, withoutEvents: true }));
  const ranges = await tx.feed.take(requests, now);
  return ranges.flatMap(({ keyId, first }) =>
    (byKey.get(keyId) ?? []).map(({ id }, index) => ({ id, changedAt: first + index })),
  );
}
