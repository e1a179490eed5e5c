import { submission } from '@partner-hiring/test-support/partner';

/** Just below the limit of 256 KiB. */
const FAT_BYTES = 250_000;

/** Valid, with unknown fields that the service must read. */
export function fatSubmission(jobId: string): string {
  const notes = Array.from(
    { length: 2_000 },
    (_, index) => `${index}: ${'worked here and there '.repeat(5)}`,
  );
  const length = JSON.stringify(submission(jobId, { notes, pad: '' })).length;
  return JSON.stringify(submission(jobId, { notes, pad: 'x'.repeat(FAT_BYTES - length) }));
}

/** All fields and thousands of answers are wrong. */
export function manyErrors(): string {
  return JSON.stringify({
    jobId: 1,
    candidate: { firstName: '', lastName: 'x'.repeat(101), email: 'nobody', phone: {} },
    consentToContact: false,
    source: 1,
    sourceApplicationId: 'x'.repeat(129),
    resumeUrl: 'ftp://',
    applicationFormAnswers: numbered('question', 10_500, [{}]),
  });
}

export function deeplyNested(): string {
  return '['.repeat(FAT_BYTES / 2) + ']'.repeat(FAT_BYTES / 2);
}

/** Thousands of unknown fields without consent. */
export function manyFields(jobId: string): string {
  return JSON.stringify(submission(jobId, { ...numbered('field', 13_500, 1), consentToContact: false }));
}

/** Thousands of unknown answers. */
export function manyAnswers(jobId: string): string {
  return JSON.stringify(submission(jobId, { applicationFormAnswers: numbered('question', 11_500, true) }));
}

function numbered(name: string, count: number, value: unknown): Record<string, unknown> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}_${index}`, value]));
}
