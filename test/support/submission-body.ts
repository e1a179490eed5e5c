import { parseBody } from '../../packages/core/src/http/parse-submission.js';
import { createHandlerUnderTest } from './servers/handler.js';

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
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return parseBody(bytes, 'production').submitted.parsed;
}

/** Returns the errors of a body as `field code`; empty if the body is valid. */
export function errorsOf(body: unknown): string[] {
  const parsed = parse(body);
  return parsed.kind === 'valid' ? [] : parsed.errors.map(({ field, code }) => `${field} ${code}`);
}

/** An idempotency key. */
export const UUID = '9c6f3f0e-6c0e-4f5a-9d53-0a4b8f2f7a10';

/** The headers of a submission. */
export const HEADERS = { 'content-type': 'application/json', 'idempotency-key': UUID };

/** A valid submission. */
export const BODY = JSON.stringify({
  jobId: 'job_1',
  candidate: { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.org', phone: '+14155550123' },
  consentToContact: true,
});

/** Posts to a new handler. Also returns the calls of the use cases. */
export async function post(
  headers: Readonly<Record<string, string | readonly string[]>>,
  body: string | Uint8Array = BODY,
  maxBodyBytes = 10_000,
) {
  const { send, asked } = createHandlerUnderTest({}, { maxBodyBytes });
  const reply = await send('POST', '/applications', { headers, body });
  return { ...reply, json: JSON.parse(reply.body), asked };
}
