import { errorsOf, VALID, withCandidate } from '@partner-hiring/test-support/submission-body';
import { describe, expect, it } from 'vitest';

/** Combining marks out of order, which a parser sorts for seconds. */
const MARKED = `https://a${'\u0315'.repeat(50_000)}${'\u0316'.repeat(50_000)}.org/cv`;

describe('errors of each field', () => {
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
    [
      'firstName without a visible character',
      withCandidate({ firstName: '\u200b\u3164' }),
      ['candidate.firstName too_short'],
    ],
    [
      'lastName without a visible character',
      withCandidate({ lastName: '\u2800' }),
      ['candidate.lastName too_short'],
    ],
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
    ['email with white space around it', withCandidate({ email: ' ada@example.org\u00a0' }), []],
    [
      'email with a tab before it',
      withCandidate({ email: '\tada@a.org' }),
      ['candidate.email invalid_format'],
    ],
    ['email with dots anywhere', withCandidate({ email: '.a..b.@docomo.ne.jp' }), []],
    [
      'email with dots alone',
      withCandidate({ email: '..@docomo.ne.jp' }),
      ['candidate.email invalid_format'],
    ],
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
    ['email with a local part of 64', withCandidate({ email: `${'a'.repeat(64)}@example.org` }), []],
    [
      'email with a local part of 65',
      withCandidate({ email: `${'a'.repeat(65)}@example.org` }),
      ['candidate.email too_long'],
    ],
    [
      'email at a label that ends with a hyphen',
      withCandidate({ email: 'ada@example-.org' }),
      ['candidate.email invalid_format'],
    ],
    [
      'email at an address in brackets',
      withCandidate({ email: 'ada@[192.0.2.1]' }),
      ['candidate.email invalid_format'],
    ],
    ['phone empty', withCandidate({ phone: '' }), ['candidate.phone too_short']],
    ['phone of marks alone', withCandidate({ phone: '\u202a\u202c' }), ['candidate.phone too_short']],
    ['phone with marks, blanks and tel: around it', withCandidate({ phone: '\u202a\ttel: 123\n\u202c' }), []],
    ['phone behind 64 marks', withCandidate({ phone: '\u202a'.repeat(64) + '1'.repeat(64) }), []],
    ['phone with a mark inside', withCandidate({ phone: '1\u202a2' }), ['candidate.phone invalid_format']],
    ['phone with a bell', withCandidate({ phone: '12\u0007' }), ['candidate.phone invalid_format']],
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
    ['resumeUrl with blanks', { ...VALID, resumeUrl: ' https://example.org/My CV.pdf?for=A B ' }, []],
    ['resumeUrl with a blank host', { ...VALID, resumeUrl: 'https://a b.org' }, ['resumeUrl invalid_format']],
    [
      'resumeUrl with a line break',
      { ...VALID, resumeUrl: 'https://a.org/\n' },
      ['resumeUrl invalid_format'],
    ],
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

  it('reports all errors at once, by their paths', () => {
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
