import { type AttemptOutcome, isSuccess } from '../../domain/delivery.js';
import type { PartnerEvent } from '../../domain/event.js';
import { type Instant, toIso } from '../../domain/time.js';
import type { Delivery } from '../../groups/deliveries/read-deliveries.js';
import type { ListedAuditEntry } from '../audit/audit-entries.js';
import type { LoggedRequest } from '../request-log/find-request.js';
import type { RequestReads } from '../request-log/rules.js';
import { syncActText } from './sync-act-text.js';
import type { TimelineEntry, TimelineFact } from './timeline.js';

const LONGEST_TEXT = 499;

export function eventEntry(
  { keyId, id: eventId, type, at }: Pick<PartnerEvent, 'keyId' | 'id' | 'type' | 'at'>,
  { state, evidence }: Pick<Delivery, 'state' | 'evidence'>,
): TimelineEntry {
  return entryAt(at, { kind: 'event', keyId, eventId, type, state, evidence });
}

export function entryAt(at: Instant, fact: TimelineFact): TimelineEntry {
  const text = textOf(fact);
  return { ...fact, at, text: text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT - 1)}…` : text };
}

function textOf(fact: TimelineFact): string {
  switch (fact.kind) {
    case 'submitted':
      return `${fact.keyLabel} submitted application ${fact.applicationId} to job ${fact.jobId}.`;
    case 'request':
      return requestText(fact.request);
    case 'command':
      return commandText(fact.auditEntry);
    case 'event':
      return `Event ${fact.eventId}, ${fact.type}, was recorded for the endpoint of key ${fact.keyId}. Delivery: ${fact.state}.`;
    case 'attempt': {
      const { eventId, number, outcome, latencyMs } = fact.attempt;
      return `Attempt ${number} to deliver event ${eventId} ${isSuccess(outcome) ? 'succeeded' : 'failed'} after ${latencyMs} ms: ${outcomeText(outcome)}.`;
    }
    case 'delivered':
      return `The partner's endpoint accepted event ${fact.eventId} with ${fact.evidence.status} at attempt ${fact.evidence.attempts}.`;
    case 'inbox':
      return inboxText(fact);
    case 'resume':
      return fact.state === 'fetched'
        ? 'The résumé was fetched and stored.'
        : `The résumé could not be fetched: ${fact.reason}.`;
    case 'read':
      return readText(fact.reads);
  }
}

function requestText(request: LoggedRequest): string {
  const { method, route, status, code, requestId, isReplay, count, keyLabel } = request;
  const caller = keyLabel ?? 'A client without a valid key';
  const answer = code === null ? String(status) : `${status} ${code}`;
  const what = isReplay ? `${answer}, the stored reply of an earlier request` : answer;
  const times = count > 1 ? ` ${count} requests got this answer; this is the first of them.` : '';
  return `${caller} sent ${method} ${route ?? 'to an unknown path'} and got ${what} (request ${requestId}).${times}`;
}

function commandText(entry: ListedAuditEntry): string {
  const { actor, act, objects, before, after, count } = entry;
  const who = actor.name === null ? actor.id : `${actor.name} (${actor.id})`;
  const reason = actor.reason === null ? '' : ` Reason: ${actor.reason}.`;
  const ofSync = syncActText(entry, who);
  if (ofSync !== null) return `${ofSync}${reason}`;
  const [main] = objects;
  const on = main === undefined ? '' : ` on ${main.kind} ${main.id}`;
  const rows = count === null ? '' : `, ${count} in all`;
  const changes = [before, after].map((fields) => (fields === null ? '' : JSON.stringify(fields)));
  const [from = '', to = ''] = changes;
  const change = [from && `from ${from}`, to && `to ${to}`].filter((part) => part !== '').join(' ');
  return `${who} called ${act}${on}${rows}${change === '' ? '' : `: ${change}`}.${reason}`;
}

/** Says how an attempt ended, without the partner's response. */
export function outcomeText(outcome: AttemptOutcome): string {
  return outcome.kind === 'answered' ? `status ${outcome.status}` : outcome.failure;
}

const ITEMS = {
  'application.submitted': 'the application',
  'resume.fetched': 'the fetched résumé',
  'resume.failed': 'the résumé that failed',
  'application.changed': 'the change of the application',
  'candidate.erased': 'the erasure of the candidate',
} as const;

/** Leaves out the host's error, because not everybody who sees the timeline may see it. */
function inboxText({
  entry: { kind, receivedAt, failures, retryAt, parkedAt },
}: Extract<TimelineFact, { readonly kind: 'inbox' }>): string {
  const item = ITEMS[kind];
  if (receivedAt !== null) return `The host received ${item} from its inbox.`;
  if (parkedAt !== null) {
    return `The host has refused ${item} ${failures} times, so it is parked. inbox.retry hands it over again.`;
  }
  if (failures > 0) {
    const next = retryAt === null ? '' : ` Next time: ${toIso(retryAt)}.`;
    return `The host has refused ${item} ${failures} times.${next}`;
  }
  return `The host has not received ${item} yet. It waits in the inbox.`;
}

function readText({ route, count, readRange }: RequestReads): string {
  const times = count === 1 ? 'once' : `${count} times`;
  const range = readRange === null ? '' : `, with all changes up to ${toIso(readRange.through)}`;
  return `The partner read ${route} ${times} in this minute${range}.`;
}
