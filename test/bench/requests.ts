import { randomUUID } from 'node:crypto';
import { type BenchCandidate, type BenchPartner, submissionBody } from './servers/seed.js';

/** A GET as it goes over the wire. */
export function get(path: string, secret: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${secret}\r\n\r\n`;
}

/** A new submission as it goes over the wire, by default of the same candidate. */
export function post(path: string, { secret, jobId }: BenchPartner, candidate?: BenchCandidate): string {
  const body = submissionBody(jobId, randomUUID(), candidate);
  return (
    `POST ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${secret}\r\nContent-Type: application/json\r\n` +
    `Idempotency-Key: ${randomUUID()}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  );
}

/** Where the API is mounted. */
export const API = '/api/v1/external';

/** Takes turns among partners, and among each one's applications. */
export function createPartners(partners: readonly BenchPartner[]) {
  let turn = 0;
  function next(): BenchPartner {
    turn += 1;
    return partners[turn % partners.length] as BenchPartner;
  }
  function applicationOf({ applicationIds }: BenchPartner): string {
    return applicationIds[turn % applicationIds.length] as string;
  }
  return { next, applicationOf };
}
