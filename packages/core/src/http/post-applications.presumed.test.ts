import { describe, expect, it } from 'vitest';
import { KEY, RATES } from '../../../../test/support/client/fake-partner-api.js';
import { BODY, HEADERS, UUID } from '../../../../test/support/post-submission.js';
import { createHandlerUnderTest, neutralRequest } from '../../../../test/support/servers/handler.js';
import { createSecret, describeSecret } from '../domain/partner-key.js';
import { StorageUnavailable } from '../errors.js';
import type { CreatedOutcome, SubmitCall } from '../partner/partner-api.js';
import type { KeyOfSecret } from '../ports/repositories/keys.js';

describe('a submission of a presumed caller', () => {
  const CALLER: KeyOfSecret = {
    key: KEY,
    secret: describeSecret(KEY.id, 'production', 'pek_live_x', KEY.createdAt),
  };
  const created = {
    kind: 'created',
    reply: { status: 201, body: '{"id":"ej_app_9"}' },
    rate: RATES.submitted,
  } as const;

  /** Posts for a caller whom the use cases presume; answers also what was asked of them in one step. */
  async function postPresumed(
    outcome: CreatedOutcome | null,
    headers: Readonly<Record<string, string>> = HEADERS,
    body: string = BODY,
  ) {
    const steps: Omit<SubmitCall, 'key'>[] = [];
    let reads = 0;
    const { handler, asked } = createHandlerUnderTest({
      presume: () => CALLER,
      submitPresumed: async (_, call) => {
        steps.push(call);
        return outcome;
      },
    });
    const request = neutralRequest('POST', '/api/v1/external/applications', { headers, body });
    const reply = await handler({
      ...request,
      readBody: (limit) => {
        reads += 1;
        return request.readBody(limit);
      },
    });
    return { reply, asked, steps, reads };
  }

  it('is answered like any other, and nothing else is asked', async () => {
    const { reply, asked, steps } = await postPresumed(created);
    expect([reply.status, reply.body]).toEqual([201, '{"id":"ej_app_9"}']);
    expect(reply.headers).toEqual(
      (await createHandlerUnderTest().send('POST', '/applications', { headers: HEADERS, body: BODY }))
        .headers,
    );
    expect([asked.admissions, asked.submissions, asked.guarded]).toEqual([[], [], []]);
    expect(steps).toMatchObject([{ idempotencyKey: UUID, parsed: { kind: 'valid' } }]);
  });

  it('goes the ordinary way, with the same bytes, read and parsed once, if that could not be done', async () => {
    const { reply, asked, steps, reads } = await postPresumed(null);
    expect([reply.status, reply.body]).toEqual([201, '{"id":"ej_app_1"}']);
    expect(asked.admissions).toHaveLength(1);
    expect(asked.submissions).toEqual([{ ...steps[0], key: KEY }]);
    expect(asked.submissions[0]?.parsed).toBe(steps[0]?.parsed);
    expect(reads).toBe(1);
  });

  it.each([
    [415, 'UNSUPPORTED_MEDIA_TYPE', { ...HEADERS, 'content-type': 'text/plain' }, BODY],
    [422, 'IDEMPOTENCY_KEY_REQUIRED', { 'content-type': 'application/json' }, BODY],
    [422, 'VALIDATION_ERROR', { ...HEADERS, 'idempotency-key': 'x' }, BODY],
    [413, 'PAYLOAD_TOO_LARGE', HEADERS, ' '.repeat(300_000)],
  ])('%d %s is refused and counted in the ordinary way, once', async (status, error, headers, body) => {
    const { reply, asked, steps, reads } = await postPresumed(created, headers, body);
    expect([reply.status, JSON.parse(reply.body).error]).toEqual([status, error]);
    expect([steps.length, asked.admissions.length, asked.guarded.length, reads]).toEqual([0, 1, 1, 1]);
  });

  it('503 if nobody can say whether it was done, and it is not tried again', async () => {
    const { send, asked } = createHandlerUnderTest({
      presume: () => CALLER,
      submitPresumed: () => Promise.reject(new StorageUnavailable('The outcome is unknown.')),
    });
    const authorization = `Bearer ${createSecret('production', new Uint8Array(32))}`;
    const reply = await send('POST', '/applications', { headers: { ...HEADERS, authorization }, body: BODY });
    expect(reply.status).toBe(503);
    expect(reply.headers).toHaveProperty('Retry-After');
    expect(reply.headers['X-RateLimit-Limit']).toBe('300');
    expect([asked.admissions, asked.submissions]).toEqual([[], []]);
  });
});
