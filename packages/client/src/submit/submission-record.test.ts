import { createHash } from 'node:crypto';
import { clientOf, reply, SUBMISSION } from '@partner-hiring/test-support/client/scripted-client';
import { expect, test } from 'vitest';
import { createMemorySubmissionStore } from '../index.js';
import type { NewSubmission } from '../wire.js';
import { createRecord, readContent } from './settle-submission.js';

const CONTEXT = { scope: 'scope', now: () => 1_795_000_000_123.5 };

test('a record has the SHA-256 of its body in hex, so another version recognizes the content', async () => {
  const record = await createRecord(CONTEXT, readContent(SUBMISSION), false);
  expect(JSON.parse(record.body)).toEqual(SUBMISSION);
  expect(record).toMatchObject({
    state: 'pending',
    id: 'scope\nats-1',
    scope: 'scope',
    sourceApplicationId: 'ats-1',
    jobId: 'job_1',
    fingerprint: createHash('sha256').update(record.body).digest('hex'),
    createdAt: 1_795_000_000_123,
  });
  expect(record).not.toHaveProperty('isReplacement');
  expect((await createRecord(CONTEXT, readContent(SUBMISSION), false)).idempotencyKey).not.toBe(
    record.idempotencyKey,
  );
});

test.each([
  ['', 'must not be empty. Pass your own identifier'],
  [undefined, 'must be text, but is missing. Pass your own identifier'],
  [null, 'must be text, but is null. Pass your own identifier'],
  [7, 'must be text, but is a number. Pass String(…).'],
])('does not store or send a submission with the sourceApplicationId %j: it %s', async (none, message) => {
  const submissions = createMemorySubmissionStore();
  let happened = 0;
  const note = async () => {
    happened += 1;
    return reply(500, '');
  };
  const add = async () => {
    await note();
    throw new Error('It was stored.');
  };
  const { applications } = clientOf(note, { submissions: { ...submissions, add } });
  const submission = { ...SUBMISSION, sourceApplicationId: none } as unknown as NewSubmission;
  await expect(applications.submit(submission)).rejects.toThrow(`sourceApplicationId ${message}`);
  await expect(applications.submit(submission)).rejects.toBeInstanceOf(TypeError);
  expect(happened).toBe(0);
});
