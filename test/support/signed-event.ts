import { signWebhook, type VerifyWebhookOptions, verifyWebhook } from '@partner-hiring/webhook-verifier';

export const SECRET = 'whsec_c2VjcmV0LW9mLXRoZS1lbmRwb2ludC1mb3ItdGVzdHM';
/** When the delivery was sent, in seconds. */
export const T = 1_750_000_000;
export const EVENT = {
  id: 'evt_01',
  type: 'job.opened',
  createdAt: '2025-06-15T15:06:40.000Z',
  apiVersion: 'v1',
  data: { jobId: 'job_1', companyId: 'co_1', title: 'Köchin 👩‍🍳', openedAt: '2025-06-15T15:06:40.000Z' },
};
export const BODY = JSON.stringify(EVENT);

/** Verifies a delivery at the time it was sent, with changes of the test. */
export async function verify(changes: Partial<VerifyWebhookOptions> = {}, body: string | Uint8Array = BODY) {
  const headers = { ...(await signWebhook({ body, secret: SECRET, timestamp: T })) };
  return verifyWebhook({ body, headers, secret: SECRET, now: T * 1000, ...changes });
}

/** Verifies it so, and returns why it is refused. */
export async function reasonOf(changes: Partial<VerifyWebhookOptions> = {}, body?: string | Uint8Array) {
  const result = await verify(changes, body);
  return result.ok ? 'verified' : result.reason;
}
