import { errorsOf, parse, VALID, withCandidate } from '@partner-hiring/test-support/submission-body';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { trimName } from '../domain/text.js';

const LINES: readonly (readonly [string, (text: string) => unknown])[] = [
  ['candidate.firstName', (text) => withCandidate({ firstName: text })],
  ['candidate.lastName', (text) => withCandidate({ lastName: text })],
  ['candidate.email', (text) => withCandidate({ email: `"${text}"@example.org` })],
  ['candidate.phone', (text) => withCandidate({ phone: `+1415555${text}0123` })],
  ['source', (text) => ({ ...VALID, source: text })],
  ['sourceApplicationId', (text) => ({ ...VALID, sourceApplicationId: text })],
];

describe('deceptive text (decision 7)', () => {
  it.each(LINES)('%s refuses control characters, bidirectional overrides and isolates', (field, bodyWith) => {
    const refused = ['\t', '\n', '\r', '\u0001', '\u001b', '\u007f', '\u0080', '\u0085', '\u009f'];
    for (const text of [...refused, '\u202a', '\u202b', '\u202c', '\u202d', '\u202e']) {
      expect([text, errorsOf(bodyWith(`a${text}b`))]).toEqual([text, [`${field} invalid_format`]]);
    }
    for (const text of ['\u2066', '\u2067', '\u2068', '\u2069']) {
      expect([text, errorsOf(bodyWith(`a${text}b`))]).toEqual([text, [`${field} invalid_format`]]);
    }
  });

  it.each(LINES)('%s keeps joiners and direction marks, which real names need', (_, bodyWith) => {
    for (const text of ['\u200c', '\u200d', '\u200e', '\u200f']) {
      expect([text, errorsOf(bodyWith(`a${text}b`))]).toEqual([text, []]);
    }
  });

  it.each(LINES)('%s keeps formulas', (_, bodyWith) => {
    expect(errorsOf(bodyWith('=HYPERLINK(1)'))).toEqual([]);
  });

  it.each(LINES)('%s accepts plain text, and refuses all other text with a code', (field, bodyWith) => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 3 }),
      fc.constantFrom('\u202e', '\u2066', '\t', '\u200d'),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 5 }), (pieces) => {
        const text = `x${pieces.join('')}`;
        const isName = field.endsWith('Name');
        const counted = isName ? trimName(text) : text;
        const isPlain = !/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u.test(counted);
        const errors = errorsOf(bodyWith(text));
        if (!isPlain) expect(errors).toEqual([`${field} invalid_format`]);
        else if (field !== 'candidate.email') expect(errors).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['\u202a', 'U+202A'],
    ['\u2069', 'U+2069'],
    ['\u0007', 'U+0007'],
    ['\n', 'U+000A'],
  ])('the error shows the code point of %j', (text, codePoint) => {
    for (const [field, bodyWith] of LINES) {
      const parsed = parse(bodyWith(`a${text}b`));
      const message = parsed.kind === 'invalid' ? parsed.errors[0]?.message : null;
      expect([field, message]).toEqual([field, expect.stringContaining(`It contains ${codePoint}.`)]);
    }
  });

  it('the error shows the code point of NUL and of half a surrogate pair', () => {
    for (const [lastName, codePoint] of [
      ['a\0', 'U+0000'],
      ['\ud83e', 'U+D83E'],
    ]) {
      const parsed = parse(withCandidate({ lastName }));
      expect(parsed).toMatchObject({ errors: [{ message: expect.stringContaining(`${codePoint}.`) }] });
    }
  });

  it('a name of only such characters is too short', () => {
    for (const firstName of ['\t', '\u0007', '\u202e', '\u200d\u2066']) {
      expect(errorsOf(withCandidate({ firstName }))).toEqual(['candidate.firstName too_short']);
    }
  });

  it('answers may have any of it before their question is known', () => {
    expect(errorsOf({ ...VALID, applicationFormAnswers: { about: 'a\tb\n\u202ec' } })).toEqual([]);
  });
});

describe('text that databases treat differently (decision 7)', () => {
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
  ])('%s gets invalid_format', (_, body, errors) => {
    expect(errorsOf(body)).toEqual(errors);
  });

  it('is the only error of its field', () => {
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

  it('is reported together with the errors of other fields', () => {
    expect(errorsOf({ ...withCandidate({ firstName: '\0' }), jobId: '' })).toEqual([
      'candidate.firstName invalid_format',
      'jobId too_short',
    ]);
  });

  it('refuses a number that is too large', () => {
    const body = JSON.stringify({ ...VALID, applicationFormAnswers: { age: 0 } }).replace(
      '"age":0',
      '"age":1e999',
    );
    expect(errorsOf(body)).toEqual(['applicationFormAnswers.age invalid_value']);
  });

  it('limits the errors of a small body', () => {
    const answers = { ['k'.repeat(100_000)]: Array.from({ length: 10_000 }, () => '\0') };
    const body = { ...VALID, applicationFormAnswers: answers };
    const parsed = parse(body);
    const size = parsed.kind === 'invalid' ? JSON.stringify(parsed.errors).length : 0;
    expect(size).toBeGreaterThan(0);
    expect(size).toBeLessThan(100_000);
  });
});
