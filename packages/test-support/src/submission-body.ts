import { parseSubmission } from '../../core/src/http/parse-submission.js';

/** A candidate that is right. */
export const CANDIDATE = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.org',
  phone: '+1 (415) 555-0123',
};

/** A submission that is right, and has nothing that it need not have. */
export const VALID = { jobId: 'job_1', candidate: CANDIDATE, consentToContact: true };

/** The same with a candidate who differs. */
export function withCandidate(changes: Readonly<Record<string, unknown>>) {
  return { ...VALID, candidate: { ...CANDIDATE, ...changes } };
}

/** What is read of a body: of a text as it stands, of all else as JSON. */
export function parse(body: unknown) {
  return parseSubmission(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))).parsed;
}

/** Each error of a body with its field; none if it is valid. */
export function errorsOf(body: unknown): string[] {
  const parsed = parse(body);
  return parsed.kind === 'valid' ? [] : parsed.errors.map(({ field, code }) => `${field} ${code}`);
}
