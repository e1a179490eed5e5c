import { VALID } from '@partner-hiring/test-support/submission-body';
import { expect } from 'vitest';

/** Submits an application as a partner does, and repeats the request. Returns the reply, which both requests got. */
export async function submit(
  api: string,
  headers: Readonly<Record<string, string>>,
  email = VALID.candidate.email,
): Promise<string> {
  const request = {
    method: 'POST',
    headers: { ...headers, 'idempotency-key': crypto.randomUUID() },
    body: JSON.stringify({ ...VALID, candidate: { ...VALID.candidate, email }, jobId: 'job_4711' }),
  };
  const first = await fetch(`${api}/applications`, request);
  expect(first.status).toBe(201);
  const reply = await first.text();
  expect(await (await fetch(`${api}/applications`, request)).text()).toBe(reply);
  return reply;
}
