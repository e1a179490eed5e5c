import type { NewSubmission } from '@partner-hiring/client';

/** A candidate as a partner's database has him: the same submission whenever it is asked for. */
export function applicant(jobId: string, sourceApplicationId: string): NewSubmission {
  return {
    jobId,
    candidate: {
      firstName: 'Ada',
      lastName: 'L',
      email: `${sourceApplicationId}@example.org`,
      phone: '+14155550123',
    },
    consentToContact: true,
    sourceApplicationId,
  };
}
