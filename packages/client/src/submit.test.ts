import { expect, test } from 'vitest';
import { clientOf, reply, SUBMISSION } from '../../../test/support/scripted-client.js';

test('a submission whose lost attempt was done, which only its sourceApplicationId tells, is found', async () => {
  const application = { id: 'ej_app_1', sourceApplicationId: 'ats-1', jobId: 'job_1', status: 'received' };
  const answers = [
    () => Promise.reject(new TypeError('fetch failed')),
    async () =>
      reply(409, {
        error: 'DUPLICATE_SOURCE_APPLICATION_ID',
        message: 'It is taken.',
        details: { applicationId: 'ej_app_1' },
      }),
    async () => reply(200, application),
  ];
  const client = clientOf(async () => (await answers.shift()?.()) ?? reply(500, ''));
  expect(await client.applications.submit(SUBMISSION)).toMatchObject({
    outcome: 'found',
    application: { id: 'ej_app_1' },
  });
});
