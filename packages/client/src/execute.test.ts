import {
  all,
  BASE,
  clientOf,
  FOUND,
  instantClock,
  KEY,
  reply,
  SUBMISSION,
} from '@partner-hiring/test-support/client/scripted-client';
import { describe, expect, test } from 'vitest';
import { type FetchResponse, PartnerApiError } from './index.js';

describe('a request', () => {
  test('carries the key, follows no redirect, and says where it was sent', async () => {
    const seen: unknown[] = [];
    const client = clientOf(async (_, { headers, redirect }) => {
      seen.push([headers.authorization, headers.accept, redirect]);
      return reply(302, '', { location: 'https://elsewhere.example.org' });
    });
    const error = await client.applications.get('ej_app_1').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PartnerApiError);
    expect(error).toMatchObject({ code: 'HTTP_302', requestId: null });
    expect(seen).toEqual([[`Bearer ${KEY}`, 'application/json', 'manual']]);
  });

  test.each([{ id: 'ej_app_1', jobId: 'job_1' }, ''])(
    'that is answered with 300 is no success, and not sent again: %j',
    async (body) => {
      const answers = [reply(300, body)];
      const client = clientOf(async () => answers.shift() ?? FOUND);
      await expect(client.applications.get('ej_app_1')).rejects.toMatchObject({ code: 'HTTP_300' });
    },
  );

  test('that is answered clearly is not sent again', async () => {
    let requests = 0;
    const body = { error: 'APPLICATION_NOT_FOUND', message: 'The application does not exist.' };
    const client = clientOf(async (url) => {
      requests += 1;
      expect(url).toBe(`${BASE}/applications/a%2F..%2Fb`);
      return reply(404, body, { 'x-request-id': 'r-1' });
    });
    await expect(client.applications.get('a/../b')).rejects.toMatchObject({
      status: 404,
      code: 'APPLICATION_NOT_FOUND',
      requestId: 'r-1',
      message: '404 APPLICATION_NOT_FOUND: The application does not exist. (request r-1)',
    });
    expect(requests).toBe(1);
  });

  test.each([408, 425, 500, 502])('that is answered with %i is sent again', async (status) => {
    const answers = [reply(status, ''), FOUND];
    const client = clientOf(async () => answers.shift() ?? reply(404, ''));
    expect(await client.applications.get('ej_app_1')).toMatchObject({ id: 'ej_app_1' });
  });

  test('whose idempotency key is in use is sent again with the same key, no sooner than Retry-After', async () => {
    const clock = instantClock();
    const keys: unknown[] = [];
    const busy = { error: 'IDEMPOTENCY_KEY_IN_PROGRESS', message: 'Under way.' };
    const answers = [reply(409, busy, { 'retry-after': '1' })];
    const client = clientOf(
      async (_, { headers }) => {
        keys.push(headers['idempotency-key']);
        return answers.shift() ?? reply(201, { id: 'ej_app_1', jobId: 'job_1' });
      },
      { clock },
    );
    expect(await client.applications.submit(SUBMISSION)).toMatchObject({ application: { id: 'ej_app_1' } });
    expect(keys).toEqual([keys[0], keys[0]]);
    expect(clock.slept).toEqual([1_250]);
  });

  test.each<[string, FetchResponse]>([
    ['a page in HTML', reply(200, '<html>')],
    ['another JSON', reply(200, { ok: true })],
    ['rows without an id', reply(200, { data: [{}] })],
  ])('takes %s with status 200 for no answer', async (_, answer) => {
    const client = clientOf(async () => answer, { maxAttempts: 2 });
    await expect(all(client.jobs.list())).rejects.toMatchObject({ reason: 'invalid_answer' });
  });

  test.each([{ id: 'ej_app_1' }, { jobId: 'job_1' }])('takes no application for one: %j', async (json) => {
    const client = clientOf(async () => reply(200, json), { maxAttempts: 2 });
    await expect(client.applications.get('ej_app_1')).rejects.toMatchObject({ reason: 'invalid_answer' });
  });

  test('that meets a waiting page is sent again no sooner than the page says', async () => {
    const clock = instantClock();
    const answers = [reply(202, '<html>', { 'retry-after': '5' })];
    const client = clientOf(async () => answers.shift() ?? FOUND, { clock });
    expect(await client.applications.get('ej_app_1')).toMatchObject({ id: 'ej_app_1' });
    expect(clock.slept).toEqual([5_250]);
  });
});
