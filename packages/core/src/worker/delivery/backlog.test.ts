import { describe, expect, it } from 'vitest';
import { type AttemptEnd, type Delivery, newDelivery } from '../../domain/delivery.js';
import { createEvent, type PartnerEvent } from '../../domain/event.js';
import type { PollRequest } from '../../ports/repositories/endpoints.js';
import { createBacklog } from './backlog.js';

const KEY = 'key_1';
const URL = 'https://partner.example/hooks';
const NOW = 1_000_000;
const BATCH = 4;
const OK: AttemptEnd = {
  outcome: { kind: 'answered', status: 204, excerpt: '' },
  endedAt: NOW + 7,
  latencyMs: 7,
};

describe('createBacklog', () => {
  it('alternates between new events and due rows', async () => {
    const { backlog, add } = begin();
    await add([1, 2, 3], [4, 5]);
    expect(backlog.waiting()).toBe(5);
    expect(Array.from({ length: 6 }, () => backlog.next()?.at ?? null)).toEqual([1, 4, 2, 5, 3, null]);
    await add([6], [7, 8, 9]);
    expect(Array.from({ length: 5 }, () => backlog.next()?.at ?? null)).toEqual([6, 7, 8, 9, null]);
    expect([backlog.waiting(), backlog.inFlight()]).toEqual([0, 9]);
  });

  it('continues the log, and reads past the due rows that it has', async () => {
    const { add, asked } = begin();
    await add([1, 2], [3]);
    await add([], []);
    await add([], []);
    expect(asked).toEqual([
      { keyId: KEY, after: 0, logLimit: BATCH, dueLimit: BATCH },
      { keyId: KEY, after: 2, logLimit: BATCH, dueLimit: BATCH + 3 },
      { keyId: KEY, after: 2, logLimit: BATCH, dueLimit: BATCH + 3 },
    ]);
  });

  it('continues the log only after the batch was added', async () => {
    const { backlog, found, asked } = begin();
    found.push({ log: [eventAt(1)], due: [] }, { log: [eventAt(1)], due: [] });
    await backlog.read(true);
    await backlog.read(true);
    expect(asked.map(({ after }) => after)).toEqual([0, 0]);
    expect(backlog.waiting()).toBe(0);
  });

  it('makes new events due when they are added', async () => {
    const { backlog, add } = begin();
    await add([1, 2], []);
    expect(backlog.report().unfinished.map(({ delivery: { dueAt } }) => dueAt)).toEqual([NOW, NOW]);
  });

  it('does not ask for due rows unless told to', async () => {
    const { add, asked } = begin();
    expect((await add([], [], false)).isFull).toBe(false);
    expect(asked).toMatchObject([{ dueLimit: 0 }]);
  });

  it('is full when a read returns as many events or due rows as asked for', async () => {
    const { add } = begin();
    expect((await add([1, 2, 3], [4, 5, 6])).isFull).toBe(false);
    expect((await add([7, 8, 9, 10], [])).isFull).toBe(true);
    expect(
      (
        await add(
          [],
          Array.from({ length: BATCH + 10 }, (_, index) => 11 + index),
        )
      ).isFull,
    ).toBe(true);
  });

  it('does not add waiting, in-flight or ended events twice', async () => {
    const { backlog, add } = begin();
    await add([1, 2], [3]);
    await add([], [1, 2, 3]);
    backlog.end(next(backlog), URL, OK, 0.5);
    next(backlog);
    await add([], [1, 2, 3]);
    expect([backlog.waiting(), backlog.inFlight(), backlog.ended().length]).toEqual([1, 1, 1]);
  });

  it('puts events back at the front of their queue', async () => {
    const { backlog, add } = begin();
    await add([1, 2], [3, 4]);
    const [event, row] = [next(backlog), next(backlog)];
    backlog.putBack(event);
    backlog.putBack(row);
    expect(Array.from({ length: 4 }, () => backlog.next()?.at)).toEqual([1, 3, 2, 4]);
  });

  it('reports ended attempts once, in order, and the others as unfinished', async () => {
    const { backlog, add } = begin();
    await add([1, 2, 3], []);
    const [first, second] = [next(backlog), next(backlog)];
    backlog.end(second, URL, OK, 0.5);
    const report = backlog.report();
    backlog.end(first, URL, OK, 0.5);
    expect(times(report)).toEqual({ ended: [2], unfinished: [1, 3] });
    expect(times(backlog.report())).toEqual({ ended: [2, 1], unfinished: [3] });
    backlog.settled(report, []);
    expect(times(backlog.report())).toEqual({ ended: [1], unfinished: [3] });
    expect([backlog.waiting(), backlog.inFlight()]).toEqual([1, 0]);
  });

  it('marks the rows of a record, also on attempts that ended since', async () => {
    const { backlog, add } = begin();
    await add([1, 2, 3], []);
    const [first, second, third] = [next(backlog), next(backlog), next(backlog)];
    backlog.end(third, URL, OK, 0.5);
    const report = backlog.report();
    backlog.end(second, URL, OK, 0.5);
    backlog.settled(report, [first, second].map(delivery));
    backlog.end(first, URL, OK, 0.5);
    expect(backlog.report().ended.map(({ hasRow }) => hasRow)).toEqual([true, true]);
  });
});

function eventAt(at: number): PartnerEvent {
  const fact = {
    type: 'job.closed',
    jobId: 'job_1',
    companyId: 'co_1',
    reason: 'closed_by_customer',
  } as const;
  return createEvent(`evt_${at}`, KEY, at, fact);
}

function delivery(event: PartnerEvent): Delivery {
  return newDelivery(event, NOW);
}

function next(backlog: ReturnType<typeof createBacklog>): PartnerEvent {
  const event = backlog.next();
  if (event === null) throw new Error('No event waits.');
  return event;
}

function times({ ended, unfinished }: ReturnType<ReturnType<typeof createBacklog>['report']>) {
  const at = (each: { readonly delivery: Delivery }) => each.delivery.eventAt;
  return { ended: ended.map(at), unfinished: unfinished.map(at) };
}

function begin() {
  const asked: PollRequest[] = [];
  const found: { readonly log: readonly PartnerEvent[]; readonly due: readonly PartnerEvent[] }[] = [];
  const backlog = createBacklog(
    async (request) => {
      asked.push(request);
      const { log = [], due = [] } = found.shift() ?? {};
      return { log, due: due.map((event) => ({ event, delivery: delivery(event) })), endpoint: null };
    },
    KEY,
    0,
    BATCH,
  );
  return {
    backlog,
    asked,
    found,
    async add(log: readonly number[], due: readonly number[], withDue = true) {
      found.push({ log: log.map(eventAt), due: due.map(eventAt) });
      const read = await backlog.read(withDue);
      read.add(NOW);
      return read;
    },
  };
}
