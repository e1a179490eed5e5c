import { expect, test } from 'vitest';
import { createMemorySyncStore } from '../sync-store.js';
import { syncStoreChecks } from './sync-store-checks.js';

test('the checks of a sync store find one that keeps rows without their state', async () => {
  const checks = syncStoreChecks(
    async () => ({ ...createMemorySyncStore<{ readonly id: string }>(), readState: async () => null }),
    (id) => ({ id }),
  );
  const outcomes = await Promise.allSettled(checks.map(({ run }) => run()));
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(3);
});
