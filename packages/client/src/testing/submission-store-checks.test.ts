import { describe, expect, test } from 'vitest';
import { createMemorySubmissionStore, type SubmissionStore } from '../submission-store.js';
import { submissionStoreChecks } from './submission-store-checks.js';

describe('the submission store checks', () => {
  /** Stores with one mistake each. */
  const MISTAKES: Readonly<Record<string, (store: SubmissionStore) => Partial<SubmissionStore>>> = {
    'overwrites a record': (store) => ({
      add: async (record) => {
        const found = await store.find(record.id);
        if (found?.state === 'pending') await store.remove(found);
        return store.add(record);
      },
    }),
    'returns its argument': (store) => ({
      add: async (record) => {
        await store.add(record);
        return record;
      },
    }),
    'stores the body as a value, not as text': (store) => ({
      find: async (id) => {
        const found = await store.find(id);
        if (found?.state !== 'pending') return found;
        return { ...found, body: JSON.stringify(JSON.parse(found.body)) };
      },
    }),
    'removes by id alone': (store) => ({
      remove: async ({ id }) => {
        const found = await store.find(id);
        if (found?.state === 'pending') await store.remove(found);
      },
    }),
    'settles by id alone': (store) => ({
      settle: async (record) => {
        const found = await store.find(record.id);
        if (found !== null) await store.settle({ ...record, idempotencyKey: found.idempotencyKey });
      },
    }),
    'lists all scopes': (store) => {
      const scopes = new Set<string>();
      return {
        add: (record) => {
          scopes.add(record.scope);
          return store.add(record);
        },
        listPending: async () =>
          (await Promise.all([...scopes].map((scope) => store.listPending(scope)))).flat(),
      };
    },
    'removes the records that it lists': (store) => ({
      listPending: async (scope) => {
        const listed = await store.listPending(scope);
        for (const record of listed) if (record.state === 'pending') await store.remove(record);
        return listed;
      },
    }),
    'drops settled records': (store) => ({
      find: async (id) => {
        const found = await store.find(id);
        return found?.state === 'submitted' ? null : found;
      },
    }),
  };

  test.each(Object.keys(MISTAKES))('find a store that %s', async (mistake) => {
    const checks = submissionStoreChecks(async () => {
      const store = createMemorySubmissionStore();
      return { ...store, ...MISTAKES[mistake]?.(store) };
    });
    const outcomes = await Promise.allSettled(checks.map(({ run }) => run()));
    expect(outcomes.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0);
  });

  test('find a store that forgets', async () => {
    const open = async () => createMemorySubmissionStore();
    const checks = submissionStoreChecks(open, open);
    await expect(checks.at(-1)?.run()).rejects.toThrow('find, of a pending record');
  });
});
