import type { Operation, SyncCounts } from '@partner-hiring/core/ports';
import { describe, expect, it } from 'vitest';
import type { OperationTask } from '../../../../packages/core/src/ports/repositories/operations.js';
import { KEY_ID, OTHER_KEY_ID, sampleDelivery, sampleEndpoint, sampleEvent, seed, T0 } from './samples.js';
import { type OpenStorage, useStorage } from './storage-under-test.js';

const NO_COUNTS: SyncCounts = {
  added: 0,
  updated: 0,
  reopened: 0,
  closed: 0,
  unchanged: 0,
  refused: 0,
  missing: 0,
  open: 0,
  highPay: { jobs: 0, ids: [] },
};

function sampleTask(number: number, changes: Partial<Operation> = {}): OperationTask {
  const operation: Operation = {
    id: `op_${number}`,
    plan: { kind: 'resend', keyId: KEY_ID, since: T0, until: null, only: null },
    startedBy: { id: 'user_1', name: 'É', reason: null, door: 'library' },
    state: 'running',
    counts: { done: 0, skipped: 0, total: null },
    failed: null,
    sync: null,
    lastError: null,
    createdAt: T0 + number,
    updatedAt: T0 + number,
    finishedAt: null,
    ...changes,
  };
  return { operation, position: '{"phase":"é\\u2028"}', failures: 0, dueAt: T0 + number };
}

function finished(task: OperationTask, at: number): OperationTask {
  return { ...task, position: null, operation: { ...task.operation, state: 'done', finishedAt: at } };
}

export function describeOperations<HostTx>(open: OpenStorage<HostTx>): void {
  describe('operations', () => {
    const opened = useStorage(open);

    it('stores each field, and replaces all but the plan and the start', async () => {
      const { operations } = opened.direct;
      const task = sampleTask(1);
      await operations.add(task);
      expect(await operations.find('op_1')).toEqual(task.operation);
      expect(await operations.findForUpdate('op_1')).toEqual(task);
      expect(await operations.find('op_none')).toBeNull();
      expect(await operations.findForUpdate('op_none')).toBeNull();
      const changed: OperationTask = {
        operation: {
          ...task.operation,
          state: 'failed',
          failed: {
            count: 60,
            first: [{ object: { kind: 'key', id: KEY_ID }, code: 'PARTNER_DISABLED', message: 'É' }],
          },
          counts: { done: 12, skipped: 3, total: 15 },
          lastError: 'Error: é',
          updatedAt: T0 + 7,
          finishedAt: T0 + 7,
        },
        position: null,
        failures: 10,
        dueAt: T0 + 8,
      };
      await operations.save(changed);
      expect(await operations.findForUpdate('op_1')).toEqual(changed);
    });

    it('lists the newest first, by state, in pages', async () => {
      const { operations } = opened.direct;
      const tasks = [1, 2, 3].map((number) => sampleTask(number));
      for (const task of tasks) await operations.add(task);
      const same = sampleTask(4, { createdAt: T0 + 3 });
      await operations.add(same);
      await operations.save(finished(sampleTask(2), T0 + 9));
      const idsOf = (found: readonly Operation[]) => found.map(({ id }) => id);
      const all = await operations.list({ state: null, limit: 9 });
      expect(idsOf(all)).toEqual(['op_4', 'op_3', 'op_2', 'op_1']);
      const after = { createdAt: T0 + 3, id: 'op_4' } as const;
      expect(idsOf(await operations.list({ state: null, after, limit: 2 }))).toEqual(['op_3', 'op_2']);
      expect(idsOf(await operations.list({ state: 'running', after, limit: 9 }))).toEqual(['op_3', 'op_1']);
      expect(idsOf(await operations.list({ state: 'done', limit: 9 }))).toEqual(['op_2']);
    });

    it('takes the running operation that was due first, and none that is due later', async () => {
      const { operations } = opened.direct;
      for (const number of [3, 1, 2]) await operations.add(sampleTask(number));
      await operations.save(finished(sampleTask(1), T0));
      expect([await operations.isDue(T0 + 1), await operations.takeDue(T0 + 1)]).toEqual([false, null]);
      expect(await operations.isDue(T0 + 2)).toBe(true);
      expect((await operations.takeDue(T0 + 9))?.operation.id).toBe('op_2');
      await operations.save({ ...sampleTask(2), dueAt: T0 + 5 });
      expect(await operations.takeDue(T0 + 9)).toEqual(sampleTask(3));
    });

    it('hands out and deletes each input once', async () => {
      const { operations } = opened.direct;
      await operations.add(sampleTask(1), ['["é"]', '[2]']);
      await operations.add(sampleTask(2), ['[3]']);
      expect(await operations.takeInput('op_1', 1)).toBe('[2]');
      expect(await operations.takeInput('op_1', 1)).toBeNull();
      expect(await operations.takeInput('op_1', 0)).toBe('["é"]');
      expect(await operations.takeInput('op_2', 0)).toBe('[3]');
      expect(await operations.takeInput('op_none', 0)).toBeNull();
    });

    it('adds inputs later, lists them by number, and removes an operation with them', async () => {
      const { operations } = opened.direct;
      const sync = { ...NO_COUNTS, added: 7, refused: 2 };
      await operations.add(sampleTask(1, { plan: { kind: 'sync_jobs', missing: 'close' }, sync }));
      expect(await operations.find('op_1')).toMatchObject({ sync });
      await operations.addInput('op_1', 5, '["late"]');
      await operations.addInput('op_1', 0, '["é"]');
      expect(await operations.listInputs('op_1', 9)).toEqual(['["é"]', '["late"]']);
      expect(await operations.listInputs('op_1', 1)).toEqual(['["é"]']);
      await operations.remove('op_1');
      expect(await operations.find('op_1')).toBeNull();
      expect(await operations.listInputs('op_1', 9)).toEqual([]);
    });

    it('sweeps those that ended before a time, with their inputs', async () => {
      const { operations } = opened.direct;
      for (const number of [1, 2, 3]) await operations.add(sampleTask(number), ['[1]', '[2]']);
      await operations.save(finished(sampleTask(1), T0 + 10));
      await operations.save(finished(sampleTask(2), T0 + 20));
      expect(await operations.sweep(T0 + 10, 9)).toBe(0);
      expect(await operations.sweep(T0 + 30, 1)).toBe(1);
      expect(await operations.takeInput('op_1', 0)).toBeNull();
      expect(await operations.sweep(T0 + 30, 9)).toBe(1);
      const left = await operations.list({ state: null, limit: 9 });
      expect(left.map(({ id }) => id)).toEqual(['op_3']);
    });
  });

  describe('waiting deliveries', () => {
    const opened = useStorage(open);

    it('are listed by due time, and are due earlier if they are still pending', async () => {
      await seed(opened.direct);
      const { deliveries, events } = opened.direct;
      const logged = [1, 2, 3, 4].map((number) => sampleEvent(number, T0 + number));
      const theirs = sampleEvent(9, T0 + 9, OTHER_KEY_ID);
      await events.append([...logged, theirs]);
      const due = [T0 + 40, T0 + 20, T0 + 20, T0 + 10];
      const rows = logged.map((event, index) => sampleDelivery(event, { dueAt: due[index] ?? null }));
      const [first, second, third, fourth] = rows;
      if (!first || !second || !third || !fourth) throw new Error('A row is missing.');
      const other = sampleDelivery(theirs, { dueAt: T0 + 30 });
      await deliveries.save([...rows, other]);
      const after = { dueAt: T0 + 10, eventAt: Number.MAX_SAFE_INTEGER };
      expect(await deliveries.listWaiting({ keyId: KEY_ID, after, limit: 9 })).toEqual([
        second,
        third,
        first,
      ]);
      const next = { dueAt: T0 + 20, eventAt: second.eventAt };
      expect(await deliveries.listWaiting({ keyId: KEY_ID, after: next, limit: 1 })).toEqual([third]);

      const cancelled = { ...third, state: 'cancelled', dueAt: null } as const;
      await deliveries.save([cancelled]);
      const ids = [...rows.map(({ eventId }) => eventId), other.eventId];
      await deliveries.bringForward(KEY_ID, ids, T0 + 15);
      expect(await deliveries.find(KEY_ID, ids)).toEqual([
        { ...first, dueAt: T0 + 15 },
        { ...second, dueAt: T0 + 15 },
        cancelled,
        fourth,
        null,
      ]);
      expect(await deliveries.find(OTHER_KEY_ID, [other.eventId])).toEqual([other]);
    });
  });

  describe('unsent events of all endpoints', () => {
    const opened = useStorage(open);

    it('are listed newest first, beyond each watermark, in pages', async () => {
      await seed(opened.direct);
      const { endpoints, feed } = opened.direct;
      for (const keyId of [KEY_ID, OTHER_KEY_ID]) await endpoints.save(sampleEndpoint(keyId));
      const take = (keyId: typeof KEY_ID, count: number, now: number) =>
        opened.storage.transaction(async (tx) => {
          const [range] = await tx.feed.take([{ keyId, count }], now);
          const first = range?.first ?? 0;
          const events = Array.from({ length: count }, (_, index) =>
            sampleEvent(now + index, first + index, keyId),
          );
          await tx.events.append(events.map((event) => ({ ...event, id: `evt_${keyId}_${event.at}` })));
        });
      await take(KEY_ID, 3, T0 + 10);
      await take(OTHER_KEY_ID, 2, T0 + 11);
      await endpoints.advanceWatermark(KEY_ID, T0 + 10);
      expect((await feed.listHeads('production')).length).toBe(2);
      const start = { at: Number.MAX_SAFE_INTEGER, id: '' } as const;
      const list = async (from: number, before: { at: number; id: `evt_${string}` | '' }, limit: number) =>
        (await opened.direct.events.listUnsent({ from, before, limit })).map(({ keyId, at }) => [keyId, at]);
      const all = [
        [OTHER_KEY_ID, T0 + 12],
        [KEY_ID, T0 + 12],
        [OTHER_KEY_ID, T0 + 11],
        [KEY_ID, T0 + 11],
      ];
      expect(await list(0, start, 9)).toEqual(all);
      expect(await list(0, { at: T0 + 12, id: `evt_${OTHER_KEY_ID}_${T0 + 12}` }, 2)).toEqual(
        all.slice(1, 3),
      );
      expect(await list(T0 + 12, start, 9)).toEqual(all.slice(0, 2));
    });
  });
}
