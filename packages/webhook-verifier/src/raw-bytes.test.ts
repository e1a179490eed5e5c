/** Bodies that are no text, signed bodies that are no events, and secrets with commas. */
import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { signWebhook, type VerifyWebhookOptions, verifyWebhook } from './index.js';

const SECRET = 'whsec_c2VjcmV0LW9mLXRoZS1lbmRwb2ludC1mb3ItdGVzdHM';
const T = 1_750_000_000;
const EVENT = {
  id: 'evt_01',
  type: 'job.opened',
  createdAt: '2025-06-15T15:06:40.000Z',
  apiVersion: 'v1',
  data: { jobId: 'job_1', companyId: 'co_1', title: 'Köchin 👩‍🍳', openedAt: '2025-06-15T15:06:40.000Z' },
};
const BODY = JSON.stringify(EVENT);

/** Verifies a delivery at the time it was sent, with changes of the test. */
async function verify(changes: Partial<VerifyWebhookOptions> = {}, body: string | Uint8Array = BODY) {
  const headers = { ...(await signWebhook({ body, secret: SECRET, timestamp: T })) };
  return verifyWebhook({ body, headers, secret: SECRET, now: T * 1000, ...changes });
}

async function reasonOf(changes: Partial<VerifyWebhookOptions> = {}, body?: string | Uint8Array) {
  const result = await verify(changes, body);
  return result.ok ? 'verified' : result.reason;
}

const CUT = new TextEncoder().encode(BODY).slice(0, BODY.indexOf('ö') + 1);

test.each([[new Uint8Array([0x22, 0xff, 0x22])], [CUT]])(
  'returns malformed_body for signed bytes that are not UTF-8: %s',
  async (body) => {
    const digest = createHmac('sha256', SECRET).update(`${T}.`).update(body).digest('hex');
    const headers = { 'X-Partner-Signature': `t=${T},v1=${digest}`, 'X-Partner-Timestamp': String(T) };
    expect(await reasonOf({ body, headers })).toBe('malformed_body');
    expect(await reasonOf({ body: body.buffer, headers })).toBe('malformed_body');
  },
);

test('names the likely cause of unsigned bytes that are not UTF-8', async () => {
  const refusal = await verify({ body: CUT });
  expect(refusal).toMatchObject({
    reason: 'no_matching_signature',
    hint: /^Body was compressed or re-encoded\./,
  });
});

test.each([
  [{ ...EVENT, id: 7 }, 'id'],
  [{ ...EVENT, data: [] }, 'data'],
  [{ ...EVENT, data: { ...EVENT.data, jobId: '' } }, null],
  [{ ...EVENT, data: { ...EVENT.data, jobId: null, 'secret name': 1 } }, 'data.jobId'],
])('names the field of a signed body that is no event: %j', async (event, field) => {
  const result = await verify({}, JSON.stringify(event));
  expect(result.ok).toBe(field === null);
  if (field !== null)
    expect(result.hint).toBe(
      `${field} is missing or wrong. Body is not a JSON event in UTF-8. Tell the sender.`,
    );
});

test.each([`${SECRET},whsec_old`, `whsec_old , ${SECRET} `, [`whsec_old,${SECRET}`]])(
  'takes several secrets with commas: %j',
  async (secret) => {
    expect(await reasonOf({ secret })).toBe('verified');
    const signed = await signWebhook({ body: BODY, secret, timestamp: T });
    expect(signed['X-Partner-Signature'].split('v1=')).toHaveLength(3);
  },
);

test.each([`${SECRET},`, `,${SECRET}`, `${SECRET}, ,whsec_old`])(
  'refuses an empty part in %j',
  async (secret) => {
    await expect(verify({ secret })).rejects.toBeInstanceOf(TypeError);
  },
);
