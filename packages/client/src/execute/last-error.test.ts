import { clientOf, reply } from '@partner-hiring/test-support/client/scripted-client';
import { describe, expect, test } from 'vitest';

describe('a request', () => {
  test('that something else answers, in a form of its own, is no error of the service', async () => {
    const body = { statusCode: 404, error: 'Not Found', message: 'Route GET:/jobs not found' };
    const client = clientOf(async () => reply(404, body));
    await expect(client.applications.get('ej_app_1')).rejects.toMatchObject({
      code: 'HTTP_404',
      message: expect.stringContaining('see that baseUrl is right'),
    });
  });

  test('that finds nobody says where it looked, as far as fetch tells', async () => {
    const refused = { aggregate: '', one: 'connect ECONNREFUSED 127.0.0.1:3000' };
    for (const message of Object.values(refused)) {
      const failure = new TypeError('fetch failed', {
        cause: Object.assign(new Error(message), { code: 'ECONNREFUSED' }),
      });
      const client = clientOf(() => Promise.reject(failure), { maxAttempts: 1 });
      await expect(client.applications.get('ej_app_1')).rejects.toMatchObject({
        reason: 'network',
        cause: failure,
        message: `No answer: fetch failed (${message || 'ECONNREFUSED'}).`,
      });
    }
  });

  test('whose fetch rejects with nothing at all is lost like any other', async () => {
    const client = clientOf(() => Promise.reject(null), { maxAttempts: 1 });
    await expect(client.applications.get('ej_app_1')).rejects.toMatchObject({
      name: 'PartnerConnectionError',
      reason: 'network',
      message: 'No answer: null.',
    });
  });
});
