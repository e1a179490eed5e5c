import { describe, expect, it } from 'vitest';
import { errorsOf, parse, VALID, withCandidate } from '../../../../test/support/submission-body.js';

describe('text that databases differ on (decision 7)', () => {
  it.each([
    ['NUL in a name', withCandidate({ firstName: 'A\0da' }), ['candidate.firstName invalid_format']],
    ['half a surrogate pair', withCandidate({ lastName: '\ud83e' }), ['candidate.lastName invalid_format']],
    ['NUL in the jobId', { ...VALID, jobId: 'job_\0' }, ['jobId invalid_format']],
    [
      'NUL in an answer',
      { ...VALID, applicationFormAnswers: { shifts: ['day', '\0'] } },
      ['applicationFormAnswers.shifts.1 invalid_format'],
    ],
    [
      'NUL in the name of an answer: at what holds it',
      { ...VALID, applicationFormAnswers: { 'a\0': 1 } },
      ['applicationFormAnswers invalid_format'],
    ],
    ['NUL in an unknown field', { ...VALID, extra: { note: '\0' } }, ['extra.note invalid_format']],
    ['NUL in the name of an unknown field', { ...VALID, '\0': 1 }, [' invalid_format']],
  ])('%s: invalid_format', (_, body, errors) => {
    expect(errorsOf(body)).toEqual(errors);
  });

  it('is one error of its field, whatever else is wrong with that', () => {
    const firstName = `\u0000${'a'.repeat(101)}`;
    expect(errorsOf(withCandidate({ firstName }))).toEqual(['candidate.firstName invalid_format']);
    expect(errorsOf({ ...VALID, applicationFormAnswers: { q: ['\u0000', '\u0000'] } })).toEqual([
      'applicationFormAnswers.q.0 invalid_format',
      'applicationFormAnswers.q.1 invalid_format',
    ]);
    expect(errorsOf({ ...VALID, applicationFormAnswers: { '\u0000': '', '\ud800': '' } })).toEqual([
      'applicationFormAnswers invalid_format',
    ]);
  });

  it('comes together with all other errors', () => {
    expect(errorsOf({ ...withCandidate({ firstName: '\0' }), jobId: '' })).toEqual([
      'candidate.firstName invalid_format',
      'jobId too_short',
    ]);
  });

  it('a number too large to be one is refused, not stored as null', () => {
    const body = JSON.stringify({ ...VALID, applicationFormAnswers: { age: 0 } }).replace(
      '"age":0',
      '"age":1e999',
    );
    expect(errorsOf(body)).toEqual(['applicationFormAnswers.age invalid_value']);
  });

  it('a number too large to be one is refused also where it would be ignored', () => {
    const body = JSON.stringify({ ...VALID, extra: { salary: [0] } }).replace('[0]', '[1, -1e999]');
    expect(errorsOf(body)).toEqual(['extra.salary.1 invalid_value']);
    expect(errorsOf(body.replace('-1e999', '1e308'))).toEqual([]);
  });

  it('a small body full of it makes a small reply', () => {
    const body = { ...VALID, ['k'.repeat(100_000)]: Array.from({ length: 10_000 }, () => '\0') };
    const parsed = parse(body);
    const size = parsed.kind === 'invalid' ? JSON.stringify(parsed.errors).length : 0;
    expect(size).toBeGreaterThan(0);
    expect(size).toBeLessThan(100_000);
  });
});
