import { SAMPLE_JOB } from '@partner-hiring/test-support/sample-job';
import { expect, test } from 'vitest';
import { decideJobMove, type JobMove, type JobState } from './job.js';

test.each<[JobState, JobMove, JobState | 'illegal']>([
  ['open', 'close', 'closed'],
  ['open', 'reopen', 'open'],
  ['open', 'archive', 'archived'],
  ['open', 'unarchive', 'open'],
  ['closed', 'close', 'closed'],
  ['closed', 'reopen', 'open'],
  ['closed', 'archive', 'archived'],
  ['closed', 'unarchive', 'illegal'],
  ['archived', 'close', 'illegal'],
  ['archived', 'reopen', 'illegal'],
  ['archived', 'archive', 'archived'],
  ['archived', 'unarchive', 'open'],
])('a job that is %s, moved with %s: %s', (state, move, expected) => {
  const before = { ...SAMPLE_JOB, state };
  const decision = decideJobMove(before, move);
  if (expected === 'illegal') expect(decision).toEqual({ kind: 'illegal', from: state });
  else if (expected === state) expect(decision).toEqual({ kind: 'unchanged' });
  else expect(decision).toEqual({ kind: 'moved', job: { ...before, state: expected } });
});
