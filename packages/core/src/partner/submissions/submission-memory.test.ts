import { expect, it } from 'vitest';
import type { KeyId } from '../../domain/ids.js';
import type { JobForKey } from '../../domain/submission.js';
import { createSubmissionMemory } from './submission-memory.js';

const found = (id: string) => ({ job: { id } }) as JobForKey;

it('knows what a key was accepted by, and the stamp that comes next: not before now, and after the last one', () => {
  const memory = createSubmissionMemory();
  const job = found('job_1');
  memory.learn('key_1', job, 5_000);
  const pair = { keyId: 'key_1', jobId: 'job_1' } as const;
  expect(memory.find(pair, 1_000)).toEqual({ found: job, stamp: 5_001 });
  expect(memory.find(pair, 9_000)).toEqual({ found: job, stamp: 9_000 });
  memory.forget(pair);
  expect(memory.find(pair, 9_000)).toBeNull();
});

it('judges no key by what another one was accepted by', () => {
  const memory = createSubmissionMemory();
  memory.learn('key_1', found('job_1'), 5_000);
  memory.learn('key_2', found('job_2'), 5_000);
  expect(memory.find({ keyId: 'key_2', jobId: 'job_1' }, 9_000)).toBeNull();
});

it('does not know a key whose last stamp is forgotten, though one of its jobs is not', () => {
  const memory = createSubmissionMemory();
  const learn = (keyId: KeyId) => memory.learn(keyId, found('job_1'), 5_000);
  learn('key_1');
  for (let others = 1; others < 10_000; others += 1) learn(`key_other_${others}`);
  learn('key_1');
  const pair = { keyId: 'key_1', jobId: 'job_1' } as const;
  expect(memory.find(pair, 9_000)).not.toBeNull();
  learn('key_last');
  expect(memory.find(pair, 9_000)).toBeNull();
});
