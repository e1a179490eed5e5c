import { expect, test } from 'vitest';
import { createMemorySyncStore } from '../sync-store.js';
import { syncStoreChecks } from './sync-store-checks.js';

test('the checks of a sync store find a store that loses its state', async () => {
  const checks = syncStoreChecks(
    async () => ({ ...createMemorySyncStore<{ readonly id: string }>(), readState: async () => null }),
    (id) => ({ id }),
  );
  const outcomes = await Promise.allSettled(checks.map(({ run }) => run()));
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(3);
});
