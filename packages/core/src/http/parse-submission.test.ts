import { CANDIDATE, errorsOf, parse, VALID } from '@partner-hiring/test-support/submission-body';
import { describe, expect, it } from 'vitest';
import { parseBody } from './parse-submission.js';
import { MAX_NESTING } from './read-json.js';

describe('a valid body', () => {
  it('becomes a submission; null for an optional field is absent', () => {
    const expected = {
      jobId: 'job_1',
      candidate: CANDIDATE,
      source: null,
      sourceApplicationId: null,
      answers: {},
      resumeUrl: null,
    };
    const nulls = { source: null, sourceApplicationId: null, applicationFormAnswers: null, resumeUrl: null };
    expect(parse(VALID)).toMatchObject({ kind: 'valid', submission: expected });
    expect(parse({ ...VALID, ...nulls })).toMatchObject({ kind: 'valid', submission: expected });
  });

  it('stores an e-mail and a link without the blanks around them, and encodes those in the link', () => {
    const email = { ...CANDIDATE, email: ' ada@example.org ', phone: '\u202atel:+14155550123\u202c' };
    const resumeUrl = 'https://files.example.com/My CV.pdf?v=a b';
    expect(parse({ ...VALID, candidate: email, resumeUrl })).toMatchObject({
      submission: {
        candidate: { email: 'ada@example.org', phone: '+14155550123' },
        resumeUrl: 'https://files.example.com/My%20CV.pdf?v=a%20b',
      },
    });
  });

  it.each([
    [{ ...VALID, jobId: 7 }, 'Must be a string, not a number.'],
    [{ ...VALID, candidate: 'Ada' }, 'Must be an object, not a string.'],
    [{ ...VALID, candidate: [] }, 'Must be an object, not a list.'],
    [{ ...VALID, consentToContact: 'true' }, 'Must be a boolean, not a string.'],
    [{ ...VALID, source: true }, 'Must be a string, not a boolean.'],
    [{ ...VALID, applicationFormAnswers: [] }, 'Must be an object of answers by question key, not a list.'],
    [[], 'Must be an object, not a list.'],
    ['null', 'Must be an object, not null.'],
  ])('a type error names the expected type: %j', (body, message) => {
    expect(parse(body)).toMatchObject({ errors: [{ code: 'invalid_type', message }] });
  });

  it.each([
    ['', 'It is empty.'],
    ['{"secret": ', 'It is not valid JSON.'],
    ['\ufeff{}', 'It starts with a byte order mark.'],
    [`${'['.repeat(40)}${']'.repeat(40)}`, 'It is nested deeper.'],
    [Uint8Array.of(0x22, 0xff, 0x22), 'It is not UTF-8.'],
  ])('a body that is no JSON is told why: %j', (body, problem) => {
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    const message = `The body must be JSON in UTF-8, without a byte order mark, nested at most 32 levels deep. ${problem}`;
    const expected = { kind: 'invalid', errors: [{ field: '', code: 'invalid_json', message }] };
    expect(parseBody(bytes, 'production').submitted.parsed).toEqual(expected);
  });

  it('keeps the optional fields and the answers unchanged', () => {
    const optional = {
      source: 'Indeed',
      sourceApplicationId: 'their-1',
      resumeUrl: 'https://example.org/cv.pdf?token=a%20b',
    };
    const answers = { shift: 'night', licences: ['B', 'C'], age: 31, none: null };
    const parsed = parse({ ...VALID, ...optional, applicationFormAnswers: answers });
    expect(parsed).toMatchObject({ kind: 'valid', submission: { ...optional, answers } });
  });

  it('may have unknown fields, which are ignored (decision 8)', () => {
    const parsed = parse({ ...VALID, extra: { deep: [1] }, candidate: { ...CANDIDATE, age: 3 } });
    expect(parsed).toMatchObject({ kind: 'valid', submission: { candidate: CANDIDATE } });
    expect(JSON.stringify(parsed.kind === 'valid' && parsed.submission)).not.toContain('age');
  });

  it('keeps an answer named __proto__ an answer', () => {
    const parsed = parse(JSON.stringify(VALID).replace('}', '},"applicationFormAnswers":{"__proto__":true}'));
    expect(parsed.kind).toBe('valid');
    const answers = parsed.kind === 'valid' ? parsed.submission.answers : {};
    expect(Object.keys(answers)).toEqual(['__proto__']);
  });
});

describe('bodies that are not JSON (decision 7)', () => {
  const text = JSON.stringify(VALID);
  it.each([
    ['empty', Buffer.alloc(0)],
    ['cut off', Buffer.from(text.slice(0, -1))],
    ['with a comma too many', Buffer.from(text.replace('}', ',}'))],
    ['after a byte order mark', Buffer.from(`\uFEFF${text}`)],
    ['in invalid UTF-8', Buffer.from(text.replace('Ada', 'Ad\xe9'), 'latin1')],
    ['in UTF-16', Buffer.from(text, 'utf16le')],
  ])('a body %s', (_, body) => {
    expect(parseBody(body, 'production').submitted.parsed).toMatchObject({
      kind: 'invalid',
      errors: [{ field: '', code: 'invalid_json' }],
    });
  });

  it('refuses more than 32 levels, counting the body itself', () => {
    const nested = (levels: number) => `{${JSON.stringify(VALID).slice(1, -1)},"x":${lists(levels - 1)}}`;
    const lists = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(errorsOf(nested(MAX_NESTING))).toEqual([]);
    expect(errorsOf(nested(MAX_NESTING + 1))).toEqual([' invalid_json']);
    expect(errorsOf(nested(100_000))).toEqual([' invalid_json']);
  });
});
