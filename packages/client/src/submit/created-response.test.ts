import { collect } from '@partner-hiring/test-support/client/collect';
import {
  application,
  clientOf,
  reply,
  SUBMISSION,
} from '@partner-hiring/test-support/client/scripted-client';
import { expect, test } from 'vitest';
import type { FetchResponse } from '../index.js';

const CREATED = application('ej_app_1');
const answered = (changes: object) => reply(201, { ...CREATED, ...changes }, { 'x-request-id': 'r-1' });
const DUPLICATE = reply(409, {
  error: 'DUPLICATE_SOURCE_APPLICATION_ID',
  message: 'No.',
  details: { applicationId: 'ej_app_1' },
});

/** A client whose requests get these responses in order, then the last one again. The first attempt is lost. */
function clientAfterLoss(...answers: readonly FetchResponse[]) {
  let sent = 0;
  const { applications } = clientOf(
    async () => {
      sent += 1;
      if (sent === 1) throw new TypeError('fetch failed');
      return answers[Math.min(sent - 2, answers.length - 1)] ?? reply(500, '');
    },
    { maxAttempts: 3 },
  );
  return applications;
}

test.each([
  ['without a jobId', { jobId: undefined }],
  ['without a sourceApplicationId', { sourceApplicationId: undefined }],
  ['for another job', { jobId: 'job_2' }],
  ['for another submission', { sourceApplicationId: 'ats-2' }],
])('a submission is sent again after a 201 %s', async (_, changes) => {
  const applications = clientAfterLoss(answered({ ...changes, id: 'ej_app_2' }), answered({}));
  expect(await applications.submit(SUBMISSION)).toMatchObject({ application: { id: 'ej_app_1' } });
});

test.each(['jobId', 'sourceApplicationId'])(
  'a submission stays pending while each 201 has another %s, whose value no message has',
  async (field) => {
    const applications = clientAfterLoss(answered({ [field]: 'of another candidate' }));
    const submitting = applications.submit(SUBMISSION);
    await expect(submitting).rejects.toThrow(`: its ${field} is not the one that was sent.`);
    await expect(submitting).rejects.toMatchObject({
      name: 'SubmissionPendingError',
      cause: { reason: 'invalid_answer', requestId: 'r-1' },
    });
    await expect(submitting).rejects.not.toThrow('of another candidate');
    expect(await collect(applications.resumePending())).toMatchObject([{ kind: 'pending' }]);
  },
);

test('the 201 of an application whose sourceApplicationId was erased settles the submission', async () => {
  const applications = clientAfterLoss(answered({ sourceApplicationId: null }));
  expect(await applications.submit(SUBMISSION)).toMatchObject({ application: { id: 'ej_app_1' } });
  expect(await collect(applications.resumePending())).toEqual([]);
});

test('a duplicate that belongs to another submission does not settle this one as submitted', async () => {
  const applications = clientAfterLoss(DUPLICATE, reply(200, { ...CREATED, sourceApplicationId: 'ats-2' }));
  await expect(applications.submit(SUBMISSION)).rejects.toMatchObject({
    code: 'DUPLICATE_SOURCE_APPLICATION_ID',
  });
});
