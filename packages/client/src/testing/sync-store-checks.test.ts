import { expect, test } from 'vitest';
import { createMemorySyncStore } from '../sync-store.js';
import { syncStoreChecks } from './sync-store-checks.js';

test('the checks of a sync store find a store that loses its state', async () => {
  const checks = syncStoreChecks(
    async () => ({ ...createMemorySyncStore<{ readonly id: string }>(), readState: async () => null }),
    (id) => ({ id }),
  );
  const outcomes = await Promise.allSettled(checks.map(({ run }) => run()));
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(4);
});

test('the checks of a sync store find a store that forgets which rows a comparison has seen', async () => {
  const open = async () => ({ ...createMemorySyncStore<{ id: string }>(), listUnseen: async () => [] });
  const outcomes = await Promise.allSettled(syncStoreChecks(open, (id) => ({ id })).map(({ run }) => run()));
  expect(outcomes.filter(({ status }) => status === 'rejected')).toMatchObject([
    { reason: new Error('listUnseen: expected ["row_2"], got [].') },
  ]);
});
