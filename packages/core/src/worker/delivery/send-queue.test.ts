import { sampleEventAt } from '@partner-hiring/test-support/sample-endpoint';
import { describe, expect, it } from 'vitest';
import { type AttemptEnd, newDelivery, type StoredDelivery } from '../../domain/delivery.js';
import type { PartnerEvent } from '../../domain/event.js';
import type { PollRequest } from '../../ports/repositories/endpoints.js';
import { createSendQueue, type QueuedDelivery, type SendQueue } from './send-queue.js';

const KEY = 'key_1';
const URL = 'https://partner.example/hooks';
const NOW = 1_000_000;
const BATCH = 4;
const OK: AttemptEnd = {
  outcome: { kind: 'answered', status: 204, excerpt: '' },
  endedAt: NOW + 7,
  latencyMs: 7,
};

describe('createSendQueue', () => {
  it('alternates between new events and due rows', () => {
    const { queue, add } = begin();
    add([1, 2, 3], [4, 5]);
    expect(queue.waiting()).toBe(5);
    expect(Array.from({ length: 6 }, () => queue.next('by_turns')?.event.at ?? null)).toEqual([
      1,
      4,
      2,
      5,
      3,
      null,
    ]);
    add([6], [7, 8, 9]);
    expect(Array.from({ length: 5 }, () => queue.next('by_turns')?.event.at ?? null)).toEqual([
      6,
      7,
      8,
      9,
      null,
    ]);
    expect([queue.waiting(), queue.inFlight()]).toEqual([0, 9]);
  });

  it('continues the log, and reads past the due rows that it has', () => {
    const { add, asked } = begin();
    add([1, 2], [3]);
    add([], []);
    add([], []);
    expect(asked).toEqual([
      { keyId: KEY, after: 0, logLimit: BATCH, dueLimit: BATCH },
      { keyId: KEY, after: 2, logLimit: BATCH, dueLimit: BATCH + 3 },
      { keyId: KEY, after: 2, logLimit: BATCH, dueLimit: BATCH + 3 },
    ]);
  });

  it('continues the log only after the batch was added', () => {
    const { queue, add } = begin();
    expect([queue.request(true), queue.request(true)].map(({ after }) => after)).toEqual([0, 0]);
    add([1], []);
    expect(queue.request(true).after).toBe(1);
  });

  it('has new events due since their commit, or since the endpoint was resumed', () => {
    const { queue, add } = begin(2);
    add([1, 2, 3], []);
    expect(queue.report().unfinished.map(({ delivery: { dueAt } }) => dueAt)).toEqual([2, 2, 3]);
  });

  it('gives the event that has been due longest, whichever kind it is of', () => {
    const { queue, add } = begin();
    add([NOW - 1, NOW + 1, NOW + 2], [4, 5]);
    const order = Array.from({ length: 6 }, () => queue.next('longest_due')?.event.at ?? null);
    expect(order).toEqual([NOW - 1, 4, 5, NOW + 1, NOW + 2, null]);
  });

  it('does not ask for due rows unless told to', () => {
    const { add, asked } = begin();
    expect(add([], [], false)).toBe(false);
    expect(asked).toMatchObject([{ dueLimit: 0 }]);
  });

  it('is full when a read returns as many events or due rows as asked for', () => {
    const { add } = begin();
    expect(add([1, 2, 3], [4, 5, 6])).toBe(false);
    expect(add([7, 8, 9, 10], [])).toBe(true);
    const due = Array.from({ length: BATCH + 10 }, (_, index) => 11 + index);
    expect(add([], due)).toBe(true);
  });

  it('does not add waiting, in-flight or ended events twice', () => {
    const { queue, add } = begin();
    add([1, 2], [3]);
    add([], [1, 2, 3]);
    end(queue, next(queue));
    next(queue);
    add([], [1, 2, 3]);
    expect([queue.waiting(), queue.inFlight(), queue.ended().length]).toEqual([1, 1, 1]);
  });

  it('puts events back at the front of their queue', () => {
    const { queue, add } = begin();
    add([1, 2], [3, 4]);
    const [event, row] = [next(queue), next(queue)];
    queue.putBack(event);
    queue.putBack(row);
    expect(Array.from({ length: 4 }, () => queue.next('by_turns')?.event.at)).toEqual([1, 3, 2, 4]);
  });

  it('reports ended attempts once, in order, and the others as unfinished', () => {
    const { queue, add } = begin();
    add([1, 2, 3], []);
    const [first, second] = [next(queue), next(queue)];
    end(queue, second);
    const report = queue.report();
    end(queue, first);
    expect(times(report)).toEqual({ ended: [2], unfinished: [1, 3] });
    expect(times(queue.report())).toEqual({ ended: [2, 1], unfinished: [3] });
    queue.settled(report, []);
    expect(times(queue.report())).toEqual({ ended: [1], unfinished: [3] });
    expect([queue.waiting(), queue.inFlight()]).toEqual([1, 0]);
  });

  it('marks the rows of a record, also on attempts that ended since', () => {
    const { queue, add } = begin();
    add([1, 2, 3], []);
    const [first, second, third] = [next(queue), next(queue), next(queue)];
    end(queue, third);
    const report = queue.report();
    end(queue, second);
    queue.settled(
      report,
      [first, second].map(({ delivery }) => delivery),
    );
    end(queue, first);
    expect(queue.report().ended.map(({ hasRow }) => hasRow)).toEqual([true, true]);
  });
});

const eventAt = (at: number): PartnerEvent => sampleEventAt(at, KEY);

function end(queue: SendQueue, entry: QueuedDelivery): void {
  queue.end({ entry, end: OK, url: URL, random: 0.5 });
}

function next(queue: SendQueue): QueuedDelivery {
  const entry = queue.next('by_turns');
  if (entry === null) throw new Error('No event waits.');
  return entry;
}

function times({ ended, unfinished }: ReturnType<SendQueue['report']>) {
  const at = (each: { readonly delivery: StoredDelivery }) => each.delivery.eventAt;
  return { ended: ended.map(at), unfinished: unfinished.map(at) };
}

function begin(resumedAt: number | null = null) {
  const asked: PollRequest[] = [];
  const queue = createSendQueue({ keyId: KEY, resumedAt }, 0, BATCH);
  return {
    queue,
    asked,
    /** Adds what a poll found. Returns whether more may be found. */
    add(log: readonly number[], due: readonly number[], withDue = true): boolean {
      const request = queue.request(withDue);
      asked.push(request);
      const rows = due.map(eventAt).map((event) => ({ event, delivery: newDelivery(event, NOW) }));
      return queue.add(request, { log: log.map(eventAt), due: rows });
    },
  };
}
