import { describe, expect, test } from 'vitest';
import {
  checkAnswers,
  type FormQuestion,
  type Json,
  KNOWN_QUESTION_TYPES,
  withoutEmptyAnswers,
} from './application-form.js';

const OPTIONS = [
  { value: 'day', label: 'Day' },
  { value: 'night', label: 'Night' },
  { value: 'first\tshift', label: 'First' },
];

function codeFor(type: string, answer: Json, required = true): string {
  const question: FormQuestion = { key: 'q', label: 'Q', type, required, options: OPTIONS };
  return checkAnswers([question], { q: answer })[0]?.code ?? 'fine';
}

const ANSWERS: readonly [type: string, answer: Json, expected: string][] = [
  ['boolean', true, 'fine'],
  ['boolean', false, 'fine'],
  ['boolean', 'true', 'invalid_type'],
  ['boolean', 1, 'invalid_type'],
  ['short_text', 'text', 'fine'],
  ['short_text', '', 'required'],
  ['long_text', ' \n\u00a0', 'required'],
  ['date', '', 'required'],
  ['url', ' ', 'required'],
  ['single_select', '', 'required'],
  ['boolean', '', 'required'],
  ['number', [], 'required'],
  ['a_type_to_come', '', 'fine'],
  ['a_type_to_come', [], 'invalid_type'],
  ['short_text', 5, 'invalid_type'],
  ['short_text', ['text'], 'invalid_type'],
  ['long_text', 'text\ntext', 'fine'],
  ['long_text', true, 'invalid_type'],
  ['number', 0, 'fine'],
  ['number', -1.5, 'fine'],
  ['number', '1', 'invalid_type'],
  ['number', Number.POSITIVE_INFINITY, 'invalid_format'],
  ['number', Number.NEGATIVE_INFINITY, 'invalid_format'],
  ['date', '2024-02-29', 'fine'],
  ['date', '2023-02-29', 'invalid_format'],
  ['date', '2024-13-01', 'invalid_format'],
  ['date', '2024-1-1', 'invalid_format'],
  ['date', '2024-01', 'invalid_format'],
  ['date', '2024', 'invalid_format'],
  ['date', '2024-01-01T00:00:00Z', 'invalid_format'],
  ['date', '2024-01-01\n', 'invalid_format'],
  ['date', 20240101, 'invalid_type'],
  ['url', 'https://example.com/cv?x=1', 'fine'],
  ['url', 'http://example.com', 'fine'],
  ['url', 'ftp://example.com', 'invalid_format'],
  ['url', 'javascript:alert(1)', 'invalid_format'],
  ['url', 'example.com', 'invalid_format'],
  ['url', `https://example.com/${'é'.repeat(100_000)}`, 'fine'],
  ['url', null, 'required'],
  ['single_select', 'day', 'fine'],
  ['single_select', 'Day', 'invalid_value'],
  ['single_select', ['day'], 'invalid_type'],
  ['multi_select', ['day', 'night'], 'fine'],
  ['multi_select', [], 'required'],
  ['multi_select', [''], 'required'],
  ['multi_select', ['', ' '], 'required'],
  ['multi_select', ['', 'day'], 'fine'],
  ['multi_select', ['', 'noon'], 'invalid_value'],
  ['multi_select', ['day', 'noon'], 'invalid_value'],
  ['multi_select', ['day', 1], 'invalid_type'],
  ['multi_select', 'day', 'invalid_type'],
  ['a_type_to_come', 'text', 'fine'],
  ['a_type_to_come', 5, 'fine'],
  ['a_type_to_come', true, 'fine'],
  ['a_type_to_come', Number.POSITIVE_INFINITY, 'invalid_format'],
  ['a_type_to_come', ['text'], 'invalid_type'],
  ['a_type_to_come', {}, 'invalid_type'],
  ['short_text', 'tab\there', 'invalid_format'],
  ['short_text', 'line\nline', 'invalid_format'],
  ['short_text', 'line\rline', 'invalid_format'],
  ['short_text', 'bell\u0007', 'invalid_format'],
  ['short_text', 'next\u0085line', 'invalid_format'],
  ['short_text', '\u202edekcart', 'invalid_format'],
  ['short_text', '\u2066isolated\u2069', 'invalid_format'],
  ['short_text', 'می\u200cخواهم', 'fine'],
  ['short_text', '=HYPERLINK("https://example.com")', 'fine'],
  ['long_text', 'a\tb\r\nc', 'fine'],
  ['long_text', 'escape\u001b[2J', 'invalid_format'],
  ['long_text', 'form\ffeed', 'invalid_format'],
  ['long_text', 'delete\u007f', 'invalid_format'],
  ['long_text', 'line\n\u202edekcart', 'invalid_format'],
  ['url', 'https://example.com/\u202e', 'invalid_format'],
  ['url', 'https://example.com/\n', 'invalid_format'],
  ['url', 'https://example.com/\u0007', 'invalid_format'],
  ['single_select', 'day\n', 'invalid_format'],
  ['single_select', '\u202eyad', 'invalid_format'],
  ['single_select', 'first\tshift', 'fine'],
  ['multi_select', ['day', 'night\u0007'], 'invalid_format'],
  ['multi_select', ['first\tshift'], 'fine'],
  ['a_type_to_come', 'line\nline\tline', 'fine'],
  ['a_type_to_come', 'bell\u0007', 'invalid_format'],
  ['a_type_to_come', '\u2067isolated', 'invalid_format'],
  ['constructor', 'text', 'fine'],
  ['__proto__', {}, 'invalid_type'],
];

describe('answers to a job’s questions', () => {
  test.each(ANSWERS)('a %s answered with %o is %s', (type, answer, expected) => {
    expect(codeFor(type, answer)).toBe(expected);
  });

  test.each(['https://', ' https:', 'ht\ntps:/\\\t/'])(
    'a url is invalid with a host longer than any, which a parser takes seconds for: %j',
    (start) => {
      const host = `${'\u0315'.repeat(50_000)}${'\u0316'.repeat(50_000)}`;
      expect(codeFor('url', `${start}a${host}.org`)).toBe('invalid_format');
    },
  );

  test('the table above contains every known type', () => {
    expect(new Set(ANSWERS.map(([type]) => type))).toEqual(
      new Set([...KNOWN_QUESTION_TYPES, 'a_type_to_come', 'constructor', '__proto__']),
    );
  });

  test('a required question needs an answer other than null; an optional one does not', () => {
    const question: FormQuestion = { key: 'shift', label: 'Shift?', type: 'boolean', required: true };
    for (const answers of [{}, { shift: null }]) {
      expect(checkAnswers([question], answers)).toEqual([
        { field: 'applicationFormAnswers.shift', code: 'required', message: expect.any(String) },
      ]);
      expect(checkAnswers([{ ...question, required: false }], answers)).toEqual([]);
    }
  });

  test.each(['date', 'url', 'single_select', 'multi_select'])(
    'an empty text counts as no answer to an optional %s, and is not stored (decision 9)',
    (type) => {
      const question: FormQuestion = { key: 'q', label: 'Q', type, required: false, options: OPTIONS };
      for (const q of ['', ' ', '\u3000', ...(type === 'multi_select' ? [[''], ['', '\u3000']] : [])]) {
        expect([q, checkAnswers([question], { q })]).toEqual([q, []]);
        expect(withoutEmptyAnswers([question], { q, a: '' })).toEqual({ a: '' });
        const required = { ...question, required: true };
        expect(checkAnswers([required], { q })[0]?.code).toBe('required');
      }
    },
  );

  test.each([true, false])(
    'a blank value beside the chosen ones of a multiple choice is not stored (required: %s)',
    (required) => {
      const question: FormQuestion = {
        key: 'q',
        label: 'Q',
        type: 'multi_select',
        required,
        options: OPTIONS,
      };
      const q = ['', 'day', ' '];
      expect(checkAnswers([question], { q })).toEqual([]);
      expect(withoutEmptyAnswers([question], { q, a: 1 })).toEqual({ q: ['day'], a: 1 });
      const options = [...OPTIONS, { value: '', label: 'None' }];
      expect(withoutEmptyAnswers([{ ...question, options }], { q })).toEqual({ q: ['', 'day'] });
    },
  );

  test.each([
    ['boolean', 'invalid_type'],
    ['number', 'invalid_type'],
    ['short_text', 'fine'],
    ['long_text', 'fine'],
    ['a_type_to_come', 'fine'],
  ])('an empty text for an optional %s is %s', (type, expected) => {
    expect(codeFor(type, '', false)).toBe(expected);
  });

  test('answers that are not empty are the same object', () => {
    const answers = { q: '2026-01-31', other: null };
    const question = { key: 'q', label: 'Q', type: 'date', required: false };
    expect(withoutEmptyAnswers([question], answers)).toBe(answers);
  });

  test.each([
    ['boolean', 'yes', 'The answer must be true or false.'],
    ['number', '1', 'The answer must be a number.'],
    ['short_text', 1, 'The answer must be a string.'],
    ['date', 1, 'The answer must be a string with a date.'],
    ['date', '31.01.2026', 'The answer must be a date such as 2026-01-31.'],
    ['url', 5, 'The answer must be a string with a URL.'],
    ['single_select', ['day'], 'The answer must be a string: the value of one option.'],
    ['multi_select', 'day', 'The answer must be a list of strings: the values of options.'],
    ['a_type_to_come', [], 'The answer must be a string, a number, true or false.'],
    ['short_text', 'a\u202ab', expect.stringMatching(/It contains U\+202A\.$/)],
    ['long_text', 'a\u0007b', expect.stringMatching(/It contains U\+0007\.$/)],
    ['url', 'https://a.example/\n', expect.stringMatching(/It contains U\+000A\.$/)],
    ['single_select', '\u202eyad', expect.stringMatching(/It contains U\+202E\.$/)],
  ] as [string, Json, string][])(
    'name the cause in the message for a %s answered with %j',
    (type, q, message) => {
      const question: FormQuestion = { key: 'q', label: 'Q', type, required: true, options: OPTIONS };
      expect(checkAnswers([question], { q })[0]?.message).toEqual(message);
    },
  );

  test('an answer without a question is an unknown field', () => {
    expect(checkAnswers([], { other: 1 })).toMatchObject([
      { field: 'applicationFormAnswers.other', code: 'unknown_field' },
    ]);
  });

  test('all errors are returned', () => {
    const questions = ['a', 'b', 'c'].map((key) => ({ key, label: key, type: 'boolean', required: true }));
    const errors = checkAnswers(questions, { a: 'x', b: true, d: 1 });
    expect(errors.map(({ field, code }) => [field, code])).toEqual([
      ['applicationFormAnswers.a', 'invalid_type'],
      ['applicationFormAnswers.c', 'required'],
      ['applicationFormAnswers.d', 'unknown_field'],
    ]);
  });

  test('a select without options accepts no answer', () => {
    const question: FormQuestion = { key: 'q', label: 'Q', type: 'single_select', required: true };
    expect(checkAnswers([question], { q: 'day' })[0]?.code).toBe('invalid_value');
  });

  test('errors do not contain the rejected value', () => {
    for (const [type, answer] of ANSWERS) {
      const question: FormQuestion = { key: 'q', label: 'Q', type, required: true, options: OPTIONS };
      const secret = typeof answer === 'string' ? `${answer}!sEcReT` : ['sEcReT'];
      expect(JSON.stringify(checkAnswers([question], { q: secret }))).not.toContain('sEcReT');
    }
  });

  test('ignores inherited keys such as constructor', () => {
    const inherited = { key: 'toString', label: 'T', type: 'short_text', required: true };
    expect(checkAnswers([inherited], {})[0]?.code).toBe('required');
    const answers = JSON.parse('{"__proto__": 1, "hasOwnProperty": 2}');
    expect(checkAnswers([], answers).map(({ code }) => code)).toEqual(['unknown_field', 'unknown_field']);
  });
});
