import { expect, it, vi } from 'vitest';
import * as ours from './errors.js';

it('knows the errors of another copy of the package, and no others', async () => {
  vi.resetModules();
  const theirs = await import('./errors.js');
  expect(theirs.PartnerApiError).not.toBe(ours.PartnerApiError);
  const conflict = new theirs.SubmissionConflictError('ats-1', false);
  expect(conflict).toBeInstanceOf(ours.SubmissionConflictError);
  expect(conflict).toBeInstanceOf(ours.PartnerClientError);
  expect(conflict).toBeInstanceOf(Error);
  expect(conflict).not.toBeInstanceOf(ours.PartnerApiError);
  for (const other of [new Error('No.'), null, 'No.', {}])
    expect(other).not.toBeInstanceOf(ours.PartnerClientError);
  class Extended extends ours.SubmissionConflictError {}
  expect(conflict).not.toBeInstanceOf(Extended);
  expect(new Extended('ats-1', true)).toBeInstanceOf(ours.PartnerClientError);
});
