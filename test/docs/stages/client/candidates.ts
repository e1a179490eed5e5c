import type { NewSubmission } from '@partner-hiring/client';

/** The partner's candidates; here two. */
export const candidates: readonly NewSubmission[] = ['ats-1', 'ats-2'].map((sourceApplicationId) => ({
  sourceApplicationId,
  jobId: 'job_01k2f7',
  candidate: { firstName: 'Ada', lastName: 'Reyes', email: 'ada@example.com', phone: '+17755550123' },
  consentToContact: true,
  applicationFormAnswers: { weekends: true },
}));
