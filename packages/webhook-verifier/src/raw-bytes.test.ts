/** Bodies that are no text, signed bodies that are no events, and secrets with commas. */
import { createHmac } from 'node:crypto';
import { BODY, EVENT, reasonOf, SECRET, T, verify } from '@partner-hiring/test-support/signed-event';
import { expect, test } from 'vitest';
import { signWebhook } from './index.js';

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
