import { errorsOf, parse, VALID } from '@partner-hiring/test-support/submission-body';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

/** A body with JSON texts as values of fields. */
function bodyWith(field: string, json: string): string {
  return JSON.stringify({ ...VALID, applicationFormAnswers: { age: 0 } }).replace(field, json);
}
const answer = (json: string) => bodyWith('"age":0', `"age":${json}`);

describe('integers that a double cannot hold (decision 9)', () => {
  it.each([
    '9007199254740993',
    '-9007199254740993',
    '[1,9007199254740993]',
    '12345678901234567890',
    '9'.repeat(309),
    '9'.repeat(400),
  ])('%s is refused', (json) => {
    const field = json.startsWith('[') ? 'applicationFormAnswers.age.1' : 'applicationFormAnswers.age';
    expect(errorsOf(answer(json))).toEqual([`${field} invalid_value`]);
  });

  it.each([
    '9007199254740991',
    '9007199254740992',
    '-9007199254740994',
    '100000000000000000000',
    '9007199254740993.0',
    '9007199254740993e0',
    '0.1234567890123456789',
    '12345678901234567.5',
    '1e300',
    '"9007199254740993"',
    '"\\"9007199254740993,"',
    '{"9007199254740993":"a\\\\"}',
  ])('%s is accepted', (json) => {
    expect(errorsOf(answer(json))).toEqual([]);
  });

  it('refuses exactly the integers in digits whose value changes', () => {
    const digits = fc.bigInt({ min: -(10n ** 22n), max: 10n ** 22n });
    fc.assert(
      fc.property(digits, (integer) => {
        const isExact = BigInt(Number(integer)) === integer;
        expect(errorsOf(answer(String(integer)))).toEqual(
          isExact ? [] : ['applicationFormAnswers.age invalid_value'],
        );
      }),
    );
  });

  it('finds them among others that are equal as doubles, and keeps the other errors', () => {
    const json = '[9007199254740992,9007199254740993,"9007199254740993","\\u0000"]';
    expect(errorsOf(answer(json))).toEqual([
      'applicationFormAnswers.age.1 invalid_value',
      'applicationFormAnswers.age.3 invalid_format',
    ]);
  });
});

describe('unknown fields (decision 8)', () => {
  const VALUES = [
    '1e400',
    '-1e999',
    '[{"a":1e400}]',
    '9007199254740993',
    '"\\u0000"',
    '"\\ud800"',
    '{"\\u0000":1}',
  ];

  it.each(VALUES)('ignores %s in them', (json) => {
    expect(errorsOf(bodyWith('{', `{"extra":${json},`))).toEqual([]);
    expect(errorsOf(bodyWith('"candidate":{', `"candidate":{"extra":${json},`))).toEqual([]);
    expect(errorsOf(bodyWith('{', `{"__proto__":${json},"toString":${json},`))).toEqual([]);
    expect(parse(bodyWith('{', `{"extra":${json},`))).toEqual(parse(answer('0')));
  });

  it('ignores their names', () => {
    expect(errorsOf(bodyWith('{', '{"\\u0000":1,"\\ud800":1,'))).toEqual([]);
    expect(errorsOf(bodyWith('"candidate":{', '"candidate":{"\\u0000":1,'))).toEqual([]);
  });

  it('still refuses those values in known fields, also of the wrong type', () => {
    expect(errorsOf({ ...VALID, jobId: { a: '\0' } })).toEqual([
      'jobId.a invalid_format',
      'jobId invalid_type',
    ]);
    expect(errorsOf({ ...VALID, source: ['\0'] })).toEqual([
      'source.0 invalid_format',
      'source invalid_type',
    ]);
  });

  it('still refuses a body whose unknown fields are nested too deep', () => {
    expect(errorsOf(bodyWith('{', `{"extra":${'['.repeat(40)}${']'.repeat(40)},`))).toEqual([
      ' invalid_json',
    ]);
  });
});
