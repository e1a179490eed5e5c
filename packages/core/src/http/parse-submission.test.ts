import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_NESTING } from './json-body.js';
import { parseSubmission } from './parse-submission.js';

const CANDIDATE = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.org',
  phone: '+1 (415) 555-0123',
};
/** Marks in the wrong order, which a parser sorts for seconds. */
const MARKED = `https://a${'\u0315'.repeat(50_000)}${'\u0316'.repeat(50_000)}.org/cv`;
const VALID = { jobId: 'job_1', candidate: CANDIDATE, consentToContact: true };

function parse(body: unknown) {
  return parseSubmission(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)));
}

function errorsOf(body: unknown): string[] {
  const parsed = parse(body);
  return parsed.kind === 'valid' ? [] : parsed.errors.map(({ field, code }) => `${field} ${code}`);
}

function withCandidate(changes: Readonly<Record<string, unknown>>) {
  return { ...VALID, candidate: { ...CANDIDATE, ...changes } };
}

describe('a valid body', () => {
  it('is read as a submission; null for an optional field is absent', () => {
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

  it('carries the optional fields and the answers as they came', () => {
    const optional = {
      source: 'Indeed',
      sourceApplicationId: 'their-1',
      resumeUrl: 'https://example.org/cv.pdf?token=a%20b',
    };
    const answers = { shift: 'night', licences: ['B', 'C'], age: 31, none: null };
    const parsed = parse({ ...VALID, ...optional, applicationFormAnswers: answers });
    expect(parsed).toMatchObject({ kind: 'valid', submission: { ...optional, answers } });
  });

  it('may hold fields that are unknown; they are ignored (decision 8)', () => {
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

describe('what each field may be', () => {
  it.each([
    ['an empty object', {}, ['jobId required', 'candidate required', 'consentToContact required']],
    ['no object', [], [' invalid_type']],
    ['null', 'null', [' invalid_type']],
    ['a text', '"x"', [' invalid_type']],
    ['jobId empty', { ...VALID, jobId: '' }, ['jobId too_short']],
    ['jobId a number', { ...VALID, jobId: 7 }, ['jobId invalid_type']],
    ['jobId null', { ...VALID, jobId: null }, ['jobId required']],
    ['jobId of 129', { ...VALID, jobId: 'j'.repeat(129) }, ['jobId too_long']],
    ['jobId of another form', { ...VALID, jobId: 'no job!' }, []],
    ['candidate a list', { ...VALID, candidate: [] }, ['candidate invalid_type']],
    ['firstName missing', withCandidate({ firstName: undefined }), ['candidate.firstName required']],
    ['firstName blank', withCandidate({ firstName: ' \t' }), ['candidate.firstName too_short']],
    ['lastName of 101', withCandidate({ lastName: 'x'.repeat(101) }), ['candidate.lastName too_long']],
    ['lastName of 100 code points', withCandidate({ lastName: '🦊'.repeat(100) }), []],
    [
      'lastName of 101 code points',
      withCandidate({ lastName: '🦊'.repeat(101) }),
      ['candidate.lastName too_long'],
    ],
    ['email without @', withCandidate({ email: 'ada' }), ['candidate.email invalid_format']],
    ['email empty', withCandidate({ email: '' }), ['candidate.email invalid_format']],
    ['email with two @', withCandidate({ email: 'a@b@example.org' }), ['candidate.email invalid_format']],
    ['email with a space', withCandidate({ email: 'a da@example.org' }), ['candidate.email invalid_format']],
    ['email without a domain', withCandidate({ email: 'ada@' }), ['candidate.email invalid_format']],
    ['email with a plus and quotes', withCandidate({ email: "o'hara+jobs@mail.example.co" }), []],
    ['email at a domain of another script', withCandidate({ email: 'jürgen@bücher.例え.テスト' }), []],
    ['email at such a domain in ASCII', withCandidate({ email: 'ada@xn--e1afmkfd.xn--p1ai' }), []],
    ['email at a number', withCandidate({ email: 'ada@192.0.2.1' }), ['candidate.email invalid_format']],
    ['email at one label', withCandidate({ email: 'ada@localhost' }), ['candidate.email invalid_format']],
    [
      'email with a bell',
      withCandidate({ email: 'a\u0007da@example.org' }),
      ['candidate.email invalid_format'],
    ],
    ['email with a quoted space', withCandidate({ email: '"a da"@example.org' }), []],
    [
      'email with a quoted bell',
      withCandidate({ email: '"\u0007"@example.org' }),
      ['candidate.email invalid_format'],
    ],
    [
      'email of 255',
      withCandidate({ email: `${'a'.repeat(243)}@example.org` }),
      ['candidate.email too_long'],
    ],
    ['phone empty', withCandidate({ phone: '' }), ['candidate.phone too_short']],
    ['phone a number', withCandidate({ phone: 4155550123 }), ['candidate.phone invalid_type']],
    ['phone endless', withCandidate({ phone: '1'.repeat(65) }), ['candidate.phone too_long']],
    ['consent false', { ...VALID, consentToContact: false }, ['consentToContact must_be_true']],
    ['consent a text', { ...VALID, consentToContact: 'true' }, ['consentToContact invalid_type']],
    ['source of 101', { ...VALID, source: 'x'.repeat(101) }, ['source too_long']],
    ['sourceApplicationId empty', { ...VALID, sourceApplicationId: '' }, ['sourceApplicationId too_short']],
    ['sourceApplicationId of 128', { ...VALID, sourceApplicationId: 'x'.repeat(128) }, []],
    [
      'sourceApplicationId of 129',
      { ...VALID, sourceApplicationId: 'x'.repeat(129) },
      ['sourceApplicationId too_long'],
    ],
    ['answers a list', { ...VALID, applicationFormAnswers: [] }, ['applicationFormAnswers invalid_type']],
    ['answers a text', { ...VALID, applicationFormAnswers: 'x' }, ['applicationFormAnswers invalid_type']],
    ['resumeUrl http', { ...VALID, resumeUrl: 'http://example.org/cv' }, []],
    ['resumeUrl empty', { ...VALID, resumeUrl: '' }, ['resumeUrl invalid_format']],
    ['resumeUrl relative', { ...VALID, resumeUrl: '/cv.pdf' }, ['resumeUrl invalid_format']],
    ['resumeUrl ftp', { ...VALID, resumeUrl: 'ftp://example.org/cv' }, ['resumeUrl invalid_format']],
    ['resumeUrl of a file', { ...VALID, resumeUrl: 'file:///etc/passwd' }, ['resumeUrl invalid_format']],
    [
      'resumeUrl with a user',
      { ...VALID, resumeUrl: 'https://me:pw@example.org' },
      ['resumeUrl invalid_format'],
    ],
    [
      'resumeUrl with a user alone',
      { ...VALID, resumeUrl: 'https://me@example.org' },
      ['resumeUrl invalid_format'],
    ],
    [
      'resumeUrl with a password alone',
      { ...VALID, resumeUrl: 'https://:pw@example.org' },
      ['resumeUrl invalid_format'],
    ],
    ['resumeUrl with a space', { ...VALID, resumeUrl: ' https://example.org' }, ['resumeUrl invalid_format']],
    ['resumeUrl without a host', { ...VALID, resumeUrl: 'https://' }, ['resumeUrl invalid_format']],
    ['resumeUrl of a long path', { ...VALID, resumeUrl: `https://example.org/${'é'.repeat(100_000)}` }, []],
    ['resumeUrl of an endless host', { ...VALID, resumeUrl: MARKED }, ['resumeUrl invalid_format']],
    [
      'resumeUrl of an endless host behind slashes',
      { ...VALID, resumeUrl: MARKED.replace('//', '///\\/') },
      ['resumeUrl invalid_format'],
    ],
  ])('%s', (_, body, errors) => {
    expect(errorsOf(body)).toEqual(errors);
  });

  it('all errors at once, by their paths', () => {
    const body = { jobId: '', candidate: { firstName: '', phone: 1 }, resumeUrl: 'x', source: 1 };
    expect(errorsOf(body).sort()).toEqual([
      'candidate.email required',
      'candidate.firstName too_short',
      'candidate.lastName required',
      'candidate.phone invalid_type',
      'consentToContact required',
      'jobId too_short',
      'resumeUrl invalid_format',
      'source invalid_type',
    ]);
  });
});

describe('what is no JSON (decision 7)', () => {
  const text = JSON.stringify(VALID);
  it.each([
    ['empty', Buffer.alloc(0)],
    ['cut off', Buffer.from(text.slice(0, -1))],
    ['with a comma too many', Buffer.from(text.replace('}', ',}'))],
    ['after a byte order mark', Buffer.from(`\uFEFF${text}`)],
    ['in invalid UTF-8', Buffer.from(text.replace('Ada', 'Ad\xe9'), 'latin1')],
    ['in UTF-16', Buffer.from(text, 'utf16le')],
  ])('a body %s', (_, body) => {
    expect(parseSubmission(body)).toMatchObject({
      kind: 'invalid',
      json: undefined,
      errors: [{ field: '', code: 'invalid_json' }],
    });
  });

  it('nesting over 32 levels, the body itself being the first', () => {
    const nested = (levels: number) => `{${JSON.stringify(VALID).slice(1, -1)},"x":${lists(levels - 1)}}`;
    const lists = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(errorsOf(nested(MAX_NESTING))).toEqual([]);
    expect(errorsOf(nested(MAX_NESTING + 1))).toEqual([' invalid_json']);
    expect(errorsOf(nested(100_000))).toEqual([' invalid_json']);
  });
});

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

describe('properties', () => {
  it('no JSON value makes it throw, and what is refused is refused with codes', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: 'binary', maxDepth: 3 }), (text) => {
        const parsed = parse(text);
        if (parsed.kind === 'valid') return;
        expect(parsed.errors.length).toBeGreaterThan(0);
        for (const { code, message } of parsed.errors) {
          expect(code).toMatch(/^[a-z_]+$/);
          expect(message).toMatch(/\.$/);
        }
      }),
    );
  });

  it('the rejected value is never echoed', () => {
    const marked = fc.string({ minLength: 0, maxLength: 300 }).map((text) => `secret-${text}`);
    const value = fc.oneof(marked, fc.array(marked), fc.record({ inner: marked }));
    const body = fc.record(
      {
        jobId: value,
        candidate: fc.oneof(
          value,
          fc.record({ firstName: value, lastName: value, email: value, phone: value }),
        ),
        consentToContact: value,
        source: value,
        sourceApplicationId: value,
        applicationFormAnswers: value,
        resumeUrl: value,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(body, (fields) => {
        const parsed = parse(fields);
        expect(parsed.kind).toBe('invalid');
        expect(JSON.stringify(parsed.kind === 'invalid' && parsed.errors)).not.toContain('secret-');
      }),
    );
  });
});
