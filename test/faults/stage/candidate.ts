import { randomUUID } from 'node:crypto';
import type { Ask } from './http-client.js';

/** A candidate whom a client submits until it has a 201, always with the same key and the same bytes. */
export interface Candidate {
  /** Nobody else has it: what the candidate is known by in the database. */
  readonly email: string;
  readonly idempotencyKey: string;
  readonly body: string;
}

/** Half of them carry an id of the partner's, which alone would keep them from being doubled. */
export function newCandidate(jobId: string): Candidate {
  const id = randomUUID();
  const email = `${id}@example.org`;
  const candidate = { firstName: 'Ada', lastName: 'L', email, phone: '+14155550123' };
  const source = Math.random() < 0.5 ? { sourceApplicationId: id } : {};
  const body = JSON.stringify({ jobId, candidate, consentToContact: true, ...source });
  return { email, idempotencyKey: randomUUID(), body };
}

/** The request that submits a candidate. */
export function submissionOf(baseUrl: string, secret: string, { idempotencyKey, body }: Candidate): Ask {
  return {
    method: 'POST',
    url: `${baseUrl}/applications`,
    headers: {
      authorization: `Bearer ${secret}`,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'idempotency-key': idempotencyKey,
    },
    body,
  };
}
