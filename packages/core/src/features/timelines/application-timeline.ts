import { type ApplicationRecord, isTerminal } from '../../domain/application.js';
import type { ApplicationId } from '../../domain/ids.js';
import type { Instant } from '../../domain/time.js';
import {
  type DeliveryDetails,
  describeStanding,
  findStandings,
} from '../../groups/deliveries/find-delivery.js';
import { findEvents } from '../../groups/deliveries/find-events.js';
import { applicationNotFound } from '../../operator/find-or-throw.js';
import { withKeyNames } from '../../operator/names.js';
import type { Repositories } from '../../ports/storage.js';
import { findInboxEntries } from '../inbox/find-entries.js';
import type { InboxEntryState } from '../inbox/rules.js';
import type { RequestReads } from '../request-log/rules.js';
import { entryAt, eventEntry } from './describe-fact.js';
import { findNews } from './partner-news.js';
import type { Timeline, TimelineEntry, TimelineOptions } from './timeline.js';
import { findActs, findLoggedRequests, mergeParts, wholePart, windowOf } from './timeline-parts.js';

/** @throws OperatorError `APPLICATION_NOT_FOUND`. */
export async function findApplicationTimeline(
  read: Repositories,
  { applicationId: id, ...options }: TimelineOptions & { readonly applicationId: ApplicationId },
): Promise<Timeline> {
  const window = windowOf(options);
  const [application] = await read.applications.find([id]);
  if (!application) throw applicationNotFound(id);
  const events = await listEventsOf(read, id);
  const reads = await findReads(read, application);
  const parts = [
    await findLoggedRequests(read, { applicationId: id }, window),
    await findActs(read, [{ kind: 'application', id }], window),
    wholePart([
      await submittedEntry(read, application),
      ...events.flatMap(eventEntries),
      ...(await inboxEntries(read, application)),
      ...resumeEntries(application),
      ...reads.map(({ covering }) => entryAt(covering.lastAt, { kind: 'read', reads: covering })),
    ]),
  ];
  const { keyId, status, lastStatusChangeAt } = application;
  const shown = reads.filter(({ changedAt }) => changedAt >= lastStatusChangeAt);
  const news = await findNews(read, {
    keyId,
    changedAt: lastStatusChangeAt,
    route: '/applications',
    causesEvent: isTerminal(status) ? 'always' : 'never',
    event: events.at(-1) ?? null,
    reads: shown[0]?.covering ?? null,
  });
  return { ...mergeParts(window, parts), news };
}

async function submittedEntry(
  read: Pick<Repositories, 'names'>,
  { id, jobId, companyId, keyId, submittedAt }: ApplicationRecord,
): Promise<TimelineEntry> {
  const [named] = await withKeyNames(read, [{ keyId }]);
  const keyLabel = named?.keyLabel ?? keyId;
  return entryAt(submittedAt, { kind: 'submitted', applicationId: id, jobId, companyId, keyId, keyLabel });
}

/** The event, each recorded attempt that failed, and each success. */
export function eventEntries(details: DeliveryDetails): readonly TimelineEntry[] {
  const { event, delivery, attempts, successes } = details;
  const { keyId, id: eventId } = event;
  const succeeded = new Set(successes.map(({ cycle, attempts: number }) => `${cycle} ${number}`));
  return [
    eventEntry(event, delivery),
    ...attempts
      .filter(({ cycle, number }) => !succeeded.has(`${cycle} ${number}`))
      .map((attempt) => entryAt(attempt.endedAt, { kind: 'attempt', attempt })),
    ...successes.map((success) =>
      entryAt(success.deliveredAt, { kind: 'delivered', keyId, eventId, evidence: success }),
    ),
  ];
}

async function inboxEntries(
  read: Pick<Repositories, 'inbox'>,
  application: ApplicationRecord,
): Promise<readonly TimelineEntry[]> {
  const found = await findInboxEntries(read, application);
  return found.map((entry) => entryAt(timeOf(entry), { kind: 'inbox', entry }));
}

function timeOf({ receivedAt, parkedAt, at }: InboxEntryState): Instant {
  return receivedAt ?? parkedAt ?? at;
}

function resumeEntries({ resume }: ApplicationRecord): readonly TimelineEntry[] {
  if (resume.kind === 'fetched') {
    return [entryAt(resume.fetchedAt, { kind: 'resume', state: 'fetched', reason: null })];
  }
  return resume.kind === 'failed'
    ? [entryAt(resume.failedAt, { kind: 'resume', state: 'failed', reason: resume.reason })]
    : [];
}

interface CoveredChange {
  readonly changedAt: Instant;
  readonly covering: RequestReads;
}

/**
 * Finds the first reads that showed each change. A list shows only the last change of an application. A read therefore
 * shows an earlier change only if it ended before the next change.
 */
async function findReads(
  { requests }: Pick<Repositories, 'requests'>,
  { keyId, submittedAt, lastStatusChangeAt, changedAt }: ApplicationRecord,
): Promise<readonly CoveredChange[]> {
  const changes = [...new Set([submittedAt, lastStatusChangeAt, changedAt])].sort((a, b) => a - b);
  const found: CoveredChange[] = [];
  for (const [index, at] of changes.entries()) {
    const covering = await requests.findCoveringReads(keyId, '/applications', at);
    const next = changes[index + 1] ?? Number.MAX_SAFE_INTEGER;
    if (covering !== null && covering.lastAt < next) found.push({ changedAt: at, covering });
  }
  return found;
}

/**
 * Finds the event by its stamp, which is also the stamp of the application's last status change. The table of events
 * therefore needs no index by application.
 */
export async function listEventsOf(
  read: Repositories,
  id: ApplicationId,
): Promise<readonly DeliveryDetails[]> {
  const [application] = await read.applications.find([id]);
  if (!application) throw applicationNotFound(id);
  const events = await findEvents({ tx: read }, [application]);
  const ids = events.map((event) => event.id);
  const standings = await findStandings(read, application.keyId, ids);
  const details: DeliveryDetails[] = [];
  for (const standing of standings)
    if (standing !== null) details.push(await describeStanding(read, standing));
  return details;
}
