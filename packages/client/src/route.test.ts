import { expect, test } from 'vitest';
import { tellsOfOwnBucket } from './route.js';

const SUBMISSION = { kind: 'submit_application', jobId: 'job_1' } as const;
const answerOf = (status: number, headers: Readonly<Record<string, string>> = {}) => ({
  status,
  headers: new Headers(headers),
  json: {},
});

test('of a submission, only the answer that accepts it tells of its company’s bucket', () => {
  expect(tellsOfOwnBucket(SUBMISSION, answerOf(201))).toBe(true);
  expect(tellsOfOwnBucket(SUBMISSION, answerOf(201, { 'idempotent-replayed': 'true' }))).toBe(false);
  for (const status of [200, 401, 409, 422]) {
    expect(tellsOfOwnBucket(SUBMISSION, answerOf(status))).toBe(false);
  }
});

test('of a read, every answer tells of its bucket, but not that of an unknown key', () => {
  for (const status of [200, 404, 422]) {
    expect(tellsOfOwnBucket({ kind: 'list_jobs' }, answerOf(status))).toBe(true);
  }
  expect(tellsOfOwnBucket({ kind: 'list_jobs' }, answerOf(401))).toBe(false);
});
