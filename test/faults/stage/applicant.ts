import type { NewSubmission } from '@partner-hiring/client';

/** Returns the same submission each time. */
export function applicant(jobId: string, sourceApplicationId: string, firstName = 'Ada'): NewSubmission {
  return {
    jobId,
    candidate: {
      firstName,
      lastName: 'L',
      email: `${sourceApplicationId}@example.org`,
      phone: '+14155550123',
    },
    consentToContact: true,
    sourceApplicationId,
  };
}
