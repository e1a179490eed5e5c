import { createHandlerUnderTest } from './servers/handler.js';

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
