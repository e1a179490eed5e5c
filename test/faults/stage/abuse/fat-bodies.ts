import { submission } from '@partner-hiring/test-support/partner';

/** A little below the largest body that the service takes, 256 KiB. */
const FAT_BYTES = 250_000;

/** Valid: the service ignores unknown fields, but has to read them. */
export function fatSubmission(jobId: string): string {
  const notes = Array.from(
    { length: 2_000 },
    (_, index) => `${index}: ${'worked here and there '.repeat(5)}`,
  );
  const length = JSON.stringify(submission(jobId, { notes, pad: '' })).length;
  return JSON.stringify(submission(jobId, { notes, pad: 'x'.repeat(FAT_BYTES - length) }));
}

/** Every known field is wrong, and so are thousands of answers. */
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

/** The length is even. */
export function deeplyNested(): string {
  return '['.repeat(FAT_BYTES / 2) + ']'.repeat(FAT_BYTES / 2);
}

/** Thousands of unknown fields, and no consent. */
export function manyFields(jobId: string): string {
  return JSON.stringify(submission(jobId, { ...numbered('field', 13_500, 1), consentToContact: false }));
}

/** Thousands of answers to questions that the job does not ask. */
export function manyAnswers(jobId: string): string {
  return JSON.stringify(submission(jobId, { applicationFormAnswers: numbered('question', 11_500, true) }));
}

function numbered(name: string, count: number, value: unknown): Record<string, unknown> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}_${index}`, value]));
}
