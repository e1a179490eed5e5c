import { type AttemptEnd, type Delivery, newDelivery } from '../../../domain/delivery.js';
import type { Endpoint } from '../../../domain/endpoint.js';
import type { PartnerEvent } from '../../../domain/event.js';
import type { EventId, KeyId } from '../../../domain/ids.js';
import type { Instant } from '../../../domain/time.js';
import type { EndedAttempt, SenderReport, Undertaking } from '../../settle/settlement.js';
import type { Poll } from '../poll.js';
import { createAlternatingQueue } from './alternating-queue.js';

/** What was read to be sent next. */
export interface Reading {
  /** Whether there may be more than was read. */
  readonly isFull: boolean;
  /** As it stood after the read; null if there is none any more. */
  readonly endpoint: Endpoint | null;
  /** Adds it to what waits, nothing twice. A new event is due `now`, on the storage's time. */
  takeOn(now: Instant): void;
}

/** What one lane has taken on, from the log and from due rows, until it is recorded. */
export interface Backlog {
  /**
   * Reads what to send next, without taking it on yet: new events, and due rows if they are asked for. Not while a
   * report is being recorded.
   */
  read(withDue: boolean): Promise<Reading>;
  /** How many wait to be sent. */
  waiting(): number;
  /** How many are being sent. */
  inFlight(): number;
  /** The next to send, now in flight; null if none waits. Due rows and new events take turns. */
  next(): PartnerEvent | null;
  /** Notes how an attempt ended, where it was sent, and the jitter of the delay that may follow. */
  end(event: PartnerEvent, url: string, end: AttemptEnd, random: number): void;
  /** Notes that no attempt was made after all. */
  putBack(event: PartnerEvent): void;
  /** The attempts that ended and are not recorded yet, in the order in which they ended. */
  ended(): readonly EndedAttempt[];
  /** What is to be recorded. The same is not reported again once {@link Backlog.settled} was called. */
  report(): SenderReport;
  /** Notes that a report was recorded, and which rows that made. */
  settled(report: SenderReport, passed: readonly Delivery[]): void;
}

interface Entry {
  readonly event: PartnerEvent;
  readonly delivery: Delivery;
  hasRow: boolean;
  ended: (EndedAttempt & { hasRow: boolean }) | null;
}

/** Builds the backlog of an endpoint that was just leased. */
export function createBacklog(poll: Poll, keyId: KeyId, watermark: Instant, batch: number): Backlog {
  const entries = new Map<EventId, Entry>();
  const waiting = createAlternatingQueue<Entry>();
  let ended: EndedAttempt[] = [];
  let readThrough = watermark;

  function takeOn(event: PartnerEvent, delivery: Delivery, hasRow: boolean): void {
    if (entries.has(event.id)) return;
    const entry: Entry = { event, delivery, hasRow, ended: null };
    entries.set(event.id, entry);
    waiting.add(entry, hasRow);
  }

  function entryOf({ id }: PartnerEvent): Entry {
    const entry = entries.get(id);
    if (entry === undefined) throw new Error('An attempt ended that this lane did not begin.');
    return entry;
  }

  return {
    async read(withDue) {
      // Rows that are being sent are still due in the storage, so they are read past.
      const dueLimit = withDue ? batch + entries.size : 0;
      const {
        log,
        due: rows,
        endpoint,
      } = await poll({ keyId, after: readThrough, logLimit: batch, dueLimit });
      return {
        endpoint,
        isFull: log.length === batch || (withDue && rows.length === dueLimit),
        takeOn(now) {
          readThrough = log.at(-1)?.at ?? readThrough;
          for (const event of log) takeOn(event, newDelivery(event, now), false);
          for (const { event, delivery } of rows) takeOn(event, delivery, true);
        },
      };
    },

    waiting: waiting.size,
    inFlight: () => entries.size - waiting.size() - ended.length,

    next: () => waiting.take()?.event ?? null,

    end(event, url, end, random) {
      const entry = entryOf(event);
      const { delivery, hasRow } = entry;
      const { outcome, endedAt, latencyMs } = end;
      entry.ended = { delivery, hasRow, url, outcome, endedAt, latencyMs, random };
      ended.push(entry.ended);
    },

    putBack(event) {
      const entry = entryOf(event);
      waiting.putBack(entry, entry.hasRow);
    },

    ended: () => ended,
    report: () => ({ ended: ended.slice(), unfinished: unfinishedOf(entries.values()) }),

    settled(report, passed) {
      for (const { delivery } of report.ended) entries.delete(delivery.eventId);
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

/** What is still to be sent, or on its way. */
function unfinishedOf(entries: Iterable<Entry>): readonly Undertaking[] {
  const found: Undertaking[] = [];
  for (const entry of entries) if (entry.ended === null) found.push(entry);
  return found;
}
