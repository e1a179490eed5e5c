import { describe, test } from 'vitest';
import { createMemorySubmissionStore } from './submission-store.js';
import { submissionStoreChecks } from './testing/index.js';

describe('a submission store in memory', () => {
  for (const { name, run } of submissionStoreChecks(async () => createMemorySubmissionStore()))
    test(name, run);
});
