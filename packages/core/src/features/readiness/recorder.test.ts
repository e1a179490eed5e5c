import { expect, it } from 'vitest';
import type { KeyId } from '../../domain/ids.js';
import { HOUR_MS, MINUTE_MS } from '../../domain/time.js';
import type { AnsweredRequest } from '../../http/observer.js';
import { createReadinessMarks, MAX_REMEMBERED_KEYS } from './recorder.js';
import type { ReadinessMark } from './rules.js';

function createMarksUnderTest() {
  const added: ReadinessMark[] = [];
  const marks = createReadinessMarks({ addMark: (mark) => added.push(mark) });
  let sent = 0;
  const answer = (keyId: KeyId, at: number, changes: Partial<AnsweredRequest> = {}) => {
    sent += 1;
    return marks.answered(
      {
        requestId: `r${sent}`,
        method: 'GET',
        route: '/applications',
        keyId,
        clientAddress: '',
        status: 200,
        code: null,
        fields: [],
        applicationId: null,
        jobId: null,
        isReplay: false,
        readRange: null,
        listedBy: null,
        ...changes,
      },
      at,
    );
  };
  return { added, answer };
}

const namesOf = (marks: readonly ReadinessMark[]) => marks.map(({ name }) => name);

it('remembers a bounded number of keys, and writes the marks of a forgotten one again', () => {
  const { added, answer } = createMarksUnderTest();
  for (let number = 0; number < MAX_REMEMBERED_KEYS; number += 1) answer(`key_${number}`, 1);
  expect(answer('key_0', 2)).toBe(false);
  expect(answer('key_new', 2)).toBe(true);
  const before = added.length;
  expect(answer('key_0', 2)).toBe(true);
  expect(namesOf(added.slice(before))).toEqual(['succeeded', 'applications_read']);
});

it('writes an item again after an hour, and a success after a minute', () => {
  const { added, answer } = createMarksUnderTest();
  for (let at = 0; at < HOUR_MS; at += MINUTE_MS / 4) answer('key_1', at);
  expect(namesOf(added).filter((name) => name === 'applications_read')).toHaveLength(1);
  expect(namesOf(added).filter((name) => name === 'succeeded')).toHaveLength(60);
  answer('key_1', HOUR_MS);
  expect(namesOf(added).filter((name) => name === 'applications_read')).toHaveLength(2);
});

it('writes the success after a new error at once, and no more for errors in turn', () => {
  const { added, answer } = createMarksUnderTest();
  answer('key_1', 1);
  for (let at = 2; at < 50; at += 2) {
    answer('key_1', at, { status: 422, code: 'VALIDATION_ERROR' });
    answer('key_1', at + 1);
  }
  expect(namesOf(added)).toEqual(['succeeded', 'applications_read', 'recovered_422', 'succeeded']);
});

it.each([5, 10])('puts a success after the error before it, also at %d', (at) => {
  const { added, answer } = createMarksUnderTest();
  answer('key_1', 10, { status: 422, code: 'VALIDATION_ERROR' });
  answer('key_1', at);
  expect(added.find(({ name }) => name === 'succeeded')).toMatchObject({ lastAt: 11 });
});

it('takes no time of a clock that goes back for a new mark', () => {
  const { added, answer } = createMarksUnderTest();
  answer('key_1', HOUR_MS);
  answer('key_1', 1);
  expect(added).toHaveLength(2);
});

it.each([403, 404, 413, 415, 500, 503])('takes %i for no evidence', (status) => {
  const { added, answer } = createMarksUnderTest();
  expect(answer('key_1', 1, { status, code: 'NOT_FOUND' })).toBe(false);
  expect(added).toEqual([]);
});
