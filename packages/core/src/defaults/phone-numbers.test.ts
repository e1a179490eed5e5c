import fc from 'fast-check';
import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import { describe, expect, it } from 'vitest';
import { createPhoneNumbers } from './phone-numbers.js';

const { normalize } = createPhoneNumbers();

/** The result of the library without our fast path. It parses again until nothing changes. */
function libraryNormalizes(phone: string, defaultCountry: CountryCode): string | null {
  const number = parsePhoneNumberFromString(phone, { extract: false, defaultCountry });
  if (number?.isPossible() !== true) return null;
  return number.number === phone ? phone : libraryNormalizes(number.number, defaultCountry);
}

const OLD_MOBILE = /^\+(?:52(?:1|0[12]|04[45])\d{10}|5609\d{8}|54(?:9?15|90)\d{10}|549\d{12})$/;

describe('normalize', () => {
  it.each([
    ['+14155550123', 'US', '+14155550123'],
    ['(415) 555-0123', 'US', '+14155550123'],
    ['415.555.0123', 'United States', '+14155550123'],
    ['1 415 555 0123', 'USA', '+14155550123'],
    ['030 901820', 'Germany', '+4930901820'],
    ['0049 30 901820', 'DE', '+4930901820'],
    ['+49 (0)30 901820', 'DE', '+4930901820'],
    ['020 7946 0018', 'UK', '+442079460018'],
    ['020 7946 0018', 'England', '+442079460018'],
    ['06 12 34 56 78', 'FRA', '+33612345678'],
    ['+33612345678', 'US', '+33612345678'],
    ['06\u202f12\u202f34\u202f56\u202f78', 'FR', '+33612345678'],
    ['415\u2009555\u20090123', 'US', '+14155550123'],
    ['９８７６５４３２１０', 'India', '+919876543210'],
    ['०८१२३४ ५६७८९', 'IN', '+918123456789'],
    ['০১৭১২-৩৪৫৬৭৮', 'BD', '+8801712345678'],
    ['๐๘๑ ๒๓๔ ๕๖๗๘', 'TH', '+66812345678'],
    ['𝟎𝟔 𝟏𝟐 𝟑𝟒 𝟓𝟔 𝟕𝟖', 'FR', '+33612345678'],
    ['06·12•34‧56_78', 'FR', '+33612345678'],
    ["079'123'45'67", 'CH', '+41791234567'],
    ['090〜1234〜5678', 'JP', '+819012345678'],
    ['++44 7400 123456', 'DE', '+447400123456'],
    ['+0044 7400 123456', 'DE', '+447400123456'],
    ['(+44) 7400 123456', 'DE', '+447400123456'],
    ['0049 171 1234567', 'US', '+491711234567'],
    ['00 44 7400 123456', 'CA', '+447400123456'],
    ['+55 (0xx11) 91234-5678', 'US', '+5511912345678'],
    ['0**11 91234-5678', 'BR', '+5511912345678'],
    ['0 15 11 91234-5678', 'BR', '+5511912345678'],
  ])('normalizes %s in %s to %s', (phone, country, expected) => {
    expect(normalize(phone, country)).toBe(expected);
  });

  it.each([
    ' +14155550123',
    '(415) 555-0123\u00a0',
    '\u200e+14155550123\u200f',
    '\u200b+1\u2060 415 555 0123',
  ])('ignores whitespace and invisible characters around %j', (phone) => {
    expect(normalize(phone, 'US')).toBe('+14155550123');
  });

  it.each([
    ['\u202a+1 415 555 0123\u202c', 'US', '+14155550123'],
    ['\u2068+49 171 1234567\u2069', 'US', '+491711234567'],
    ['\u200e\u202a(415) 555-0123\u202c\u200e', 'US', '+14155550123'],
    ['\ufeff+14155550123\u00ad', 'US', '+14155550123'],
    ['\t+14155550123\r\n', 'US', '+14155550123'],
    ['\ufffc+14155550123', 'US', '+14155550123'],
    ['tel:+1-415-555-0123', 'DE', '+14155550123'],
    ['TEL:+14155550123', 'DE', '+14155550123'],
    [' tel: \u202a+14155550123\u202c', 'DE', '+14155550123'],
    ['tel:%2B1%20415%20555%200123', 'DE', '+14155550123'],
    ['tel://+14155550123', 'DE', '+14155550123'],
    ['tel:030-901820', 'DE', '+4930901820'],
    ['tel:030-901820;phone-context=+49', 'US', '+4930901820'],
  ])('ignores blanks, invisible marks and tel: around %j in %s (decision 10)', (phone, country, expected) => {
    expect(normalize(phone, country)).toBe(expected);
  });

  it.each([
    ['+52 1 55 1234 5678', 'US', '+525512345678'],
    ['+5215512345678', 'MX', '+525512345678'],
    ['0052 1 (55) 1234-5678', 'DE', '+525512345678'],
    ['1 55 1234 5678', 'MX', '+525512345678'],
    ['044 55 1234 5678', 'MX', '+525512345678'],
    ['045 55 1234 5678', 'MX', '+525512345678'],
    ['01 55 1234 5678', 'MX', '+525512345678'],
    ['+52 044 55 1234 5678', 'US', '+525512345678'],
    ['+52 55 1234 5678', 'US', '+525512345678'],
    ['+54 11 15 1234 5678', 'US', '+5491112345678'],
    ['011 15-1234-5678', 'AR', '+5491112345678'],
    ['+54 9 11 15 1234 5678', 'US', '+5491112345678'],
    ['+54 9 223 15 123 4567', 'US', '+5492231234567'],
    ['(0223) 15-512-3456', 'AR', '+5492235123456'],
    ['+54 15 11 1234 5678', 'US', '+5491112345678'],
    ['+54 9 15 11 1234 5678', 'US', '+5491112345678'],
    ['+54 9 011 1234 5678', 'US', '+5491112345678'],
    ['+56 09 6123 4567', 'US', '+56961234567'],
    ['09 6123 4567', 'CL', '+56961234567'],
    ['+56 9 6123 4567', 'US', '+56961234567'],
    ['+54 9 11 1234 5678', 'US', '+5491112345678'],
    ['+54 11 4321 5678', 'US', '+541143215678'],
  ])('repairs the old mobile prefix of %s in %s (decision 10)', (phone, country, expected) => {
    expect(normalize(phone, country)).toBe(expected);
  });

  it('a number that is accepted once is accepted again in its stored form, in every country', () => {
    const digits = fc.stringMatching(/^[01]{0,2}\d{3,13}$/);
    for (const country of getCountries()) {
      const code = getCountryCallingCode(country);
      fc.assert(
        fc.property(
          digits,
          fc.constantFrom('', `+${code}`, `tel:+${code}`, `\u202a+${code}`),
          (national, by) => {
            const stored = normalize(by + national, country);
            if (stored === null) return;
            expect([stored, normalize(stored, country)]).toEqual([stored, stored]);
            expect(normalize(stored, 'Atlantis')).toBe(stored);
          },
        ),
        { numRuns: 30 },
      );
    }
  });

  it.each([
    ['06 12 34 56 78', 'US'],
    ['020 7946 0018', 'US'],
    ['030 901820', 'US'],
    ['010-1234-5678', 'JP'],
    ['011 4123-4567', 'US'],
    ['33612345678', 'US'],
    ['555-0123', 'US'],
    ['0044 1', 'GB'],
  ])('rejects %s without a plus sign in %s, where it is not valid (decision 10)', (phone, country) => {
    expect(normalize(phone, country)).toBeNull();
  });

  it.each([
    ['(876) 555-0123', 'US', '+18765550123'],
    ['(415) 555-0123', 'CA', '+14155550123'],
    ['020 7946 0018', 'GG', '+442079460018'],
    ['01481 960194', 'GB', '+441481960194'],
    ['06 698 83162', 'VA', '+390669883162'],
    ['8 (495) 123-45-67', 'KZ', '+74951234567'],
    ['8 701 123 4567', 'RU', '+77011234567'],
  ])('reads %s in %s as of a country with the same calling code', (phone, country, expected) => {
    expect(normalize(phone, country)).toBe(expected);
  });

  it.each([
    ["'+4930901820", 'US', '+4930901820'],
    ['’+49 30 901820', 'US', '+4930901820'],
    ['+4930901820;', 'US', '+4930901820'],
    ['+4930901820,', 'US', '+4930901820'],
    ['4930901820.0', 'DE', '+4930901820'],
    ['+4930901820.00', 'US', '+4930901820'],
    ['="030901820"', 'DE', '+4930901820'],
    ['"+49 30 901820";', 'US', '+4930901820'],
    [" '030901820 ;\r\n", 'DE', '+4930901820'],
  ])('takes the signs of a spreadsheet off %j in %s (decision 10)', (phone, country, expected) => {
    expect(normalize(phone, country)).toBe(expected);
  });

  it('accepts only international numbers if the country is unknown', () => {
    expect(normalize('+4930901820', 'Atlantis')).toBe('+4930901820');
    expect(normalize('030 901820', 'Atlantis')).toBeNull();
    expect(normalize('030 901820', '')).toBeNull();
  });

  it('accepts a possible number that is not in service', () => {
    expect(normalize('+15555550123', 'US')).toBe('+15555550123');
  });

  it.each([
    '',
    ' ',
    '12',
    '+1',
    'call me',
    '+999 12345678',
    '+1415555012345678',
    'call 415-555-0123 now',
    '4155550123 | 4155550199',
    '06,12,34,56,78',
    '0',
  ])('rejects %o', (phone) => {
    expect(normalize(phone, 'US')).toBeNull();
  });

  it.each([
    '+1 415 555 0123 ext. 5',
    '+1 415 555 0123 ext 5',
    '+1 415 555 0123 x5',
    '+1 415 555 0123 extension 5',
    '(415) 555-0123 x 1234',
    '(415) 555-0123#5',
    '+14155550123;ext=5',
    'tel:+1-415-555-0123;ext=5',
    '+1 415 555 0123,5',
    '+1 415 555 0123 доб. 5',
    '030 901820 ext 12',
  ])('rejects the extension of %o (decision 10)', (phone) => {
    expect(normalize(phone, phone.startsWith('030') ? 'DE' : 'US')).toBeNull();
  });

  it('rejects every number in which the library finds an extension', () => {
    const joint = fc.constantFrom(
      ' ext. ',
      ' x',
      '#',
      ';ext=',
      ' extension ',
      ',',
      ';',
      ' доб. ',
      ' anexo ',
      ' int ',
    );
    fc.assert(
      fc.property(
        fc.stringMatching(/^[2-9]\d{9}$/),
        joint,
        fc.stringMatching(/^\d{1,6}$/),
        (number, by, ext) => {
          const phone = `+1${number}${by}${ext}`;
          expect([phone, normalize(phone, 'US')]).toEqual([phone, null]);
        },
      ),
    );
  });

  it('accepts E.164 numbers exactly like libphonenumber, in every country', () => {
    const digits = fc.stringMatching(/^\d{1,14}$/);
    for (const country of getCountries()) {
      const code = getCountryCallingCode(country);
      fc.assert(
        fc.property(digits, (national) => {
          const phone = `+${code}${national}`;
          fc.pre(!OLD_MOBILE.test(phone));
          expect(normalize(phone, 'US')).toBe(libraryNormalizes(phone, 'US'));
        }),
        { numRuns: 40 },
      );
    }
  });

  it('survives text that is not a number', () => {
    expect(normalize('9'.repeat(100_000), 'US')).toBeNull();
    expect(normalize('+'.repeat(100_000), 'US')).toBeNull();
  });
});
