import { type AttemptEnd, newDelivery, type StoredDelivery } from '../../domain/delivery.js';
import type { StoredEndpoint } from '../../domain/endpoint.js';
import type { PartnerEvent } from '../../domain/event.js';
import type { EventId } from '../../domain/ids.js';
import type { Instant } from '../../domain/time.js';
import type { PollRequest, PollResult } from '../../ports/repositories/endpoints.js';
import type { EndedAttempt, SenderReport, TrackedDelivery } from '../settle.js';

/** The events of a sender: those that wait, those in flight, and those that ended and are not recorded yet. */
export interface SendQueue {
  /** Returns what to poll: new events, and due deliveries too if `withDue`. */
  request(withDue: boolean): PollRequest;
  /**
   * Adds the events that a poll found, without duplicates. New events are due since their commit, or since the endpoint
   * was resumed. Returns whether the next poll may find more. Do not call it while a report is being recorded.
   */
  add(request: PollRequest, found: Omit<PollResult, 'endpoint'>): boolean;
  waiting(): number;
  inFlight(): number;
  /**
   * Returns the next event to send: the one that has been due longest, or by turns a due delivery and a new event.
   * Returns null if no event waits.
   */
  next(order: SendingOrder): QueuedDelivery | null;
  end(made: MadeAttempt): EndedAttempt;
  putBack(entry: QueuedDelivery): void;
  /** Returns the unrecorded attempts in the order in which they ended. */
  ended(): readonly EndedAttempt[];
  report(): SenderReport;
  /**
   * Removes a recorded report from the queue. `passed` are the deliveries for which the report created
   * rows.
   */
  settled(report: SenderReport, passed: readonly StoredDelivery[]): void;
}

/** Behind a gap, each attempt sends the event that has been due longest. */
export type SendingOrder = 'longest_due' | 'by_turns';

/** An event on its way. */
export interface QueuedDelivery {
  readonly event: PartnerEvent;
  readonly delivery: StoredDelivery;
  /** Only the queue changes it. */
  hasRow: boolean;
  ended: (EndedAttempt & { hasRow: boolean }) | null;
}

/** An attempt that ended. */
export interface MadeAttempt extends Pick<EndedAttempt, 'url' | 'random'> {
  readonly entry: QueuedDelivery;
  readonly end: AttemptEnd;
}

/** @param batch - the limit of each poll. */
export function createSendQueue(
  { keyId, resumedAt }: Pick<StoredEndpoint, 'keyId' | 'resumedAt'>,
  watermark: Instant,
  batch: number,
): SendQueue {
  let entries = new Map<EventId, QueuedDelivery>();
  const waiting = createTwoQueues();
  let ended: EndedAttempt[] = [];
  let readThrough = watermark;

  function addEntry(event: PartnerEvent, delivery: StoredDelivery, hasRow: boolean): void {
    if (entries.has(event.id)) return;
    const entry: QueuedDelivery = { event, delivery, hasRow, ended: null };
    entries.set(event.id, entry);
    waiting.add(entry, hasRow);
  }

  return {
    request(withDue) {
      // Deliveries in the queue are still due in the storage, so the limit includes them.
      const dueLimit = withDue ? batch + entries.size : 0;
      return { keyId, after: readThrough, logLimit: batch, dueLimit };
    },

    add({ logLimit, dueLimit }, { log, due }) {
      readThrough = log.at(-1)?.at ?? readThrough;
      for (const event of log) addEntry(event, newDelivery(event, Math.max(event.at, resumedAt ?? 0)), false);
      for (const { event, delivery } of due) addEntry(event, delivery, true);
      return log.length === logLimit || (dueLimit > 0 && due.length === dueLimit);
    },

    waiting: waiting.size,
    inFlight: () => entries.size - waiting.size() - ended.length,

    next: (order) => waiting.take(order) ?? null,

    end({ entry, end, url, random }) {
      const { delivery, hasRow } = entry;
      const { outcome, endedAt, latencyMs } = end;
      entry.ended = { delivery, hasRow, url, outcome, endedAt, latencyMs, random };
      ended.push(entry.ended);
      return entry.ended;
    },

    putBack: (entry) => waiting.putBack(entry, entry.hasRow),

    ended: () => ended,
    report: () => ({ ended: ended.slice(), unfinished: unfinishedOf(entries.values()) }),

    settled(report, passed) {
      const recorded = new Set<unknown>(report.ended);
      // A new map, because each table that a long-lived map has outgrown refers to the next one. Once one of them is in
      // the old generation, all later ones survive minor collections, with their events.
      entries = new Map([...entries].filter(([, { ended: attempt }]) => !recorded.has(attempt)));
      ended = ended.slice(report.ended.length);
      for (const { eventId } of passed) {
        const entry = entries.get(eventId);
        if (entry === undefined) continue;
        entry.hasRow = true;
        if (entry.ended !== null) entry.ended.hasRow = true;
      }
    },
  };
}

function unfinishedOf(entries: Iterable<QueuedDelivery>): readonly TrackedDelivery[] {
  const found: TrackedDelivery[] = [];
  for (const entry of entries) if (entry.ended === null) found.push(entry);
  return found;
}

/** New events and due deliveries, each in the order in which they are due. By turns, neither kind blocks the other. */
function createTwoQueues() {
  const fresh: QueuedDelivery[] = [];
  const due: QueuedDelivery[] = [];
  let isDueNext = false;
  const queueOf = (isDue: boolean) => (isDue ? due : fresh);

  return {
    add: (entry: QueuedDelivery, isDue: boolean) => void queueOf(isDue).push(entry),
    putBack: (entry: QueuedDelivery, isDue: boolean) => void queueOf(isDue).unshift(entry),
    take(order: SendingOrder): QueuedDelivery | undefined {
      if (order === 'longest_due') isDueNext = dueAtOf(due) < dueAtOf(fresh);
      const first = isDueNext ? due : fresh;
      const second = isDueNext ? fresh : due;
      isDueNext = !isDueNext;
      return first.shift() ?? second.shift();
    },
    size: () => fresh.length + due.length,
  };
}

function dueAtOf([first]: readonly QueuedDelivery[]): Instant {
  return first?.delivery.dueAt ?? Infinity;
}
