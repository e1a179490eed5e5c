import { SAMPLE_JOB } from '@partner-hiring/test-support/sample-job';
import { expect, test } from 'vitest';
import type { Access } from './access.js';
import type { Job } from './job.js';
import { decideSubmission, type JobForKey } from './submission.js';

const ACTIVE: Access = {
  keyId: 'key_1',
  companyId: 'co_1',
  grantedAt: 0,
  revokedAt: null,
  bootstrapUntil: null,
};
const REVOKED: Access = { ...ACTIVE, revokedAt: 1 };

function found(access: Access | null, job: Partial<Pick<Job, 'state' | 'internalOnly'>>): JobForKey {
  return {
    job: { ...SAMPLE_JOB, ...job },
    company: { id: 'co_1', name: 'Bistro', environment: 'production', createdAt: 0 },
    access,
  };
}

test.each([
  ['a job that does not exist', null, 'JOB_NOT_FOUND'],
  ['never had access', found(null, {}), 'JOB_NOT_FOUND'],
  ['never had access, closed', found(null, { state: 'closed' }), 'JOB_NOT_FOUND'],
  ['access revoked', found(REVOKED, {}), 'ACCESS_REVOKED'],
  ['access revoked, and closed', found(REVOKED, { state: 'closed' }), 'ACCESS_REVOKED'],
  ['closed', found(ACTIVE, { state: 'closed' }), 'JOB_CLOSED'],
  ['archived', found(ACTIVE, { state: 'archived' }), 'JOB_CLOSED'],
  ['open, but internal only', found(ACTIVE, { internalOnly: true }), 'JOB_CLOSED'],
] as const)('a submission is refused (%s) with %s', (_, job, code) => {
  expect(decideSubmission('production', job)).toEqual({ kind: 'refused', code });
});

test('an open job with access takes applications', () => {
  const job = found(ACTIVE, {});
  expect(decideSubmission('production', job)).toEqual({ kind: 'accepted', found: job });
});

test('a job of the other environment is not found, even with access', () => {
  for (const access of [ACTIVE, REVOKED]) {
    expect(decideSubmission('sandbox', found(access, {}))).toEqual({
      kind: 'refused',
      code: 'JOB_NOT_FOUND',
    });
  }
});
