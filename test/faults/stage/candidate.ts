import { randomUUID } from 'node:crypto';
import type { Ask } from './http-client.js';

/** A candidate with a fixed key and body. */
export interface Candidate {
  /** Unique; identifies the candidate in the database. */
  readonly email: string;
  readonly idempotencyKey: string;
  readonly body: string;
}

/** Half of them have a source id, which also prevents duplicates. */
export function newCandidate(jobId: string): Candidate {
  const id = randomUUID();
  const email = `${id}@example.org`;
  const candidate = { firstName: 'Ada', lastName: 'L', email, phone: '+14155550123' };
  const source = Math.random() < 0.5 ? { sourceApplicationId: id } : {};
  const body = JSON.stringify({ jobId, candidate, consentToContact: true, ...source });
  return { email, idempotencyKey: randomUUID(), body };
}

/** The candidate with its idempotency key in quotes, which are no part of the key (decision 12). */
export function quoted(candidate: Candidate): Candidate {
  return { ...candidate, idempotencyKey: `"${candidate.idempotencyKey}"` };
}

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
