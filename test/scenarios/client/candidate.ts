import type { NewSubmission } from '@partner-hiring/client';

/** A submission of a partner. */
export function candidate(
  jobId: string,
  sourceApplicationId: string,
  changes: Partial<NewSubmission> = {},
): NewSubmission {
  return {
    jobId,
    candidate: { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.org', phone: '+14155550123' },
    consentToContact: true,
    sourceApplicationId,
    ...changes,
  };
}
