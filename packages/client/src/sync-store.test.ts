import { describe, test } from 'vitest';
import { createMemorySyncStore } from './sync-store.js';
import { syncStoreChecks } from './testing/index.js';

describe('a sync store in memory', () => {
  const open = async () => createMemorySyncStore<{ readonly id: string }>();
  for (const { name, run } of syncStoreChecks(open, (id) => ({ id }))) test(name, run);
});
