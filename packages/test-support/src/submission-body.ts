import { parseSubmission } from '../../core/src/http/parse-submission.js';

/** A valid candidate. */
export const CANDIDATE = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.org',
  phone: '+1 (415) 555-0123',
};

/** A valid submission with only required fields. */
export const VALID = { jobId: 'job_1', candidate: CANDIDATE, consentToContact: true };

/** Returns a valid submission with changed fields of the candidate. */
export function withCandidate(changes: Readonly<Record<string, unknown>>) {
  return { ...VALID, candidate: { ...CANDIDATE, ...changes } };
}

/** Parses a body: text as is, other values as JSON. */
export function parse(body: unknown) {
  return parseSubmission(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))).parsed;
}

/** Returns the errors of a body as `field code`; empty if the body is valid. */
export function errorsOf(body: unknown): string[] {
  const parsed = parse(body);
  return parsed.kind === 'valid' ? [] : parsed.errors.map(({ field, code }) => `${field} ${code}`);
}
