import { expect, test } from 'vitest';
import { decideJobMove, type Job, type JobMove, type JobState } from './job.js';

const job: Job = {
  id: 'job_1',
  companyId: 'co_1',
  title: 'Cook',
  location: { city: 'Bern', state: 'BE', country: 'CH' },
  compensation: { type: 'hourly', min: null, max: null, currency: 'CHF' },
  schedule: null,
  headcount: { total: null, filled: 0 },
  applicationFormSchema: null,
  state: 'open',
  internalOnly: false,
  createdAt: 0,
};

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
  const before = { ...job, state };
  const decision = decideJobMove(before, move);
  if (expected === 'illegal') expect(decision).toEqual({ kind: 'illegal', from: state });
  else if (expected === state) expect(decision).toEqual({ kind: 'unchanged' });
  else expect(decision).toEqual({ kind: 'moved', job: { ...before, state: expected } });
});
