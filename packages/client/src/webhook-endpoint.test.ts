import { clientOf, instantClock, reply } from '@partner-hiring/test-support/client/scripted-client';
import { expect, test } from 'vitest';

test('gives a URL that is being proven and a test event more time than timeoutMs', async () => {
  const clock = instantClock();
  const client = clientOf(() => new Promise(() => {}), { clock, maxAttempts: 1, timeoutMs: 1_000 });
  const { webhookEndpoint: own } = client;
  for (const call of [() => own.setUrl('https://ats.example'), () => own.test(), () => own.pause()]) {
    await expect(call()).rejects.toMatchObject({ reason: 'timeout' });
  }
  expect(clock.slept.filter((ms) => ms >= 1_000)).toEqual([45_000, 45_000, 1_000]);
});

test('sends JSON only with a body, and never a field that was omitted', async () => {
  const sent: unknown[] = [];
  const client = clientOf(async (url, { method, headers, body }) => {
    sent.push([method, url.split('/webhook-endpoint')[1], headers['content-type'], body]);
    return reply(422, { error: 'VALIDATION_ERROR', message: 'No.' });
  });
  const { webhookEndpoint: own } = client;
  const calls = [
    () => own.pause(),
    () => own.resume(),
    () => own.rotateSecret({ overlapSeconds: 0 }),
    () => own.resend('a/b'),
    () => own.resendSince(new Date(0)),
  ];
  for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  const json = 'application/json';
  expect(sent).toEqual([
    ['POST', '/pause', undefined, undefined],
    ['POST', '/resume', json, '{}'],
    ['POST', '/rotate-secret', json, '{"overlapSeconds":0}'],
    ['POST', '/deliveries/a%2Fb/resend', undefined, undefined],
    ['POST', '/resend', json, '{"since":"1970-01-01T00:00:00.000Z"}'],
  ]);
});

test.each([
  ['a failure that is text', { lastFailure: 'no' }, 'lastFailure must be an object, but is text.'],
  ['a failure without a kind', { lastFailure: {} }, 'lastFailure.kind must be text, but is missing.'],
  ['no URL', { url: undefined, lastFailure: null }, 'url must be text, but is missing.'],
])('an endpoint with %s is a typed error', async (_what, changes, problem) => {
  const endpoint = {
    url: 'https://ats.example',
    state: 'active',
    pausedReason: null,
    pausedAt: null,
    failingSince: null,
    consecutiveFailures: 0,
    lastSuccessAt: null,
    createdAt: '2026-11-21T10:00:00.000Z',
    ...changes,
  };
  const client = clientOf(async () => reply(200, endpoint), { maxAttempts: 1 });
  await expect(client.webhookEndpoint.get()).rejects.toThrow(problem);
});

test('a value that is not text is refused before it is sent', async () => {
  const client = clientOf(() => expect.unreachable());
  const own = client.webhookEndpoint as unknown as Record<string, (value: unknown) => Promise<unknown>>;
  await expect(own.setUrl?.(new URL('https://ats.example'))).rejects.toThrow('url must be text');
  await expect(own.resend?.(undefined)).rejects.toThrow('eventId must be text, but is missing.');
  await expect(own.resendSince?.(0)).rejects.toThrow('since must be text or a Date, but is a number.');
});
