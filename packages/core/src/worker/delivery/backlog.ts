import { type AttemptEnd, type Delivery, newDelivery } from '../../domain/delivery.js';
import type { Endpoint } from '../../domain/endpoint.js';
import type { PartnerEvent } from '../../domain/event.js';
import type { EventId, KeyId } from '../../domain/ids.js';
import type { Instant } from '../../domain/time.js';
import type { EndedAttempt, SenderReport, TrackedDelivery } from '../settle.js';
import type { Poll } from './poll-plan.js';

export interface ReadBatch {
  readonly isFull: boolean;
  readonly endpoint: Endpoint | null;
  /** Adds the batch to the backlog without duplicates. New events are due `now`, by the storage's clock. */
  add(now: Instant): void;
}

export interface Backlog {
  /** Reads due deliveries and new events. It must not run while a report is being recorded. */
  read(withDue: boolean): Promise<ReadBatch>;
  waiting(): number;
  inFlight(): number;
  /**
   * Returns the next event to send. Alternates between due deliveries and new events. Returns null if no
   * event waits.
   */
  next(): PartnerEvent | null;
  end(event: PartnerEvent, url: string, end: AttemptEnd, random: number): void;
  putBack(event: PartnerEvent): void;
  /** Returns the unrecorded attempts in the order in which they ended. */
  ended(): readonly EndedAttempt[];
  report(): SenderReport;
  /**
   * Removes a recorded report from the backlog. `passed` are the deliveries for which the report created
   * rows.
   */
  settled(report: SenderReport, passed: readonly Delivery[]): void;
}

interface Entry {
  readonly event: PartnerEvent;
  readonly delivery: Delivery;
  hasRow: boolean;
  ended: (EndedAttempt & { hasRow: boolean }) | null;
}

export function createBacklog(poll: Poll, keyId: KeyId, watermark: Instant, batch: number): Backlog {
  const entries = new Map<EventId, Entry>();
  const waiting = createAlternatingQueue<Entry>();
  let ended: EndedAttempt[] = [];
  let readThrough = watermark;

  function add(event: PartnerEvent, delivery: Delivery, hasRow: boolean): void {
    if (entries.has(event.id)) return;
    const entry: Entry = { event, delivery, hasRow, ended: null };
    entries.set(event.id, entry);
    waiting.add(entry, hasRow);
  }

  function entryOf({ id }: PartnerEvent): Entry {
    const entry = entries.get(id);
    if (entry === undefined) throw new Error(`Event ${id} is not in the backlog of its sender.`);
    return entry;
  }

  return {
    async read(withDue) {
      // Deliveries in the backlog are still due in the storage, so the limit includes them.
      const dueLimit = withDue ? batch + entries.size : 0;
      const { log, due, endpoint } = await poll({ keyId, after: readThrough, logLimit: batch, dueLimit });
      return {
        endpoint,
        isFull: log.length === batch || (withDue && due.length === dueLimit),
        add(now) {
          readThrough = log.at(-1)?.at ?? readThrough;
          for (const event of log) add(event, newDelivery(event, now), false);
          for (const { event, delivery } of due) add(event, delivery, true);
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

function unfinishedOf(entries: Iterable<Entry>): readonly TrackedDelivery[] {
  const found: TrackedDelivery[] = [];
  for (const entry of entries) if (entry.ended === null) found.push(entry);
  return found;
}

/** Alternates between new and due items, so that neither kind blocks the other. */
function createAlternatingQueue<Item>() {
  const fresh: Item[] = [];
  const due: Item[] = [];
  let isDueNext = false;
  const queueOf = (isDue: boolean) => (isDue ? due : fresh);

  return {
    add: (item: Item, isDue: boolean) => void queueOf(isDue).push(item),
    putBack: (item: Item, isDue: boolean) => void queueOf(isDue).unshift(item),
    take(): Item | undefined {
      const [first, second] = isDueNext ? [due, fresh] : [fresh, due];
      isDueNext = !isDueNext;
      return first.shift() ?? second.shift();
    },
    size: () => fresh.length + due.length,
  };
}
