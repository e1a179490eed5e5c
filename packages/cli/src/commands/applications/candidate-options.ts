import type { CandidateTarget } from '@partner-hiring/core';
import { UsageError } from '../../command/usage-error.js';

/** @throws UsageError unless the line names a person in one way. */
export function assertOnePerson(target: CandidateTarget): void {
  const given = [target.applicationId, target.email, target.phone].filter((value) => value !== undefined);
  if (given.length !== 1)
    throw new UsageError('Name the person with one of --application, --email and --phone.');
}
