/** National numbers of 60 countries, on jobs of each of them. */
import { readFileSync } from 'node:fs';
import { CANDIDATES_OF_COUNTRIES } from '@partner-hiring/test-support/candidates-of-countries';
import EXAMPLES from 'libphonenumber-js/examples.mobile.json' with { type: 'json' };
import {
  type CountryCode,
  getCountryCallingCode,
  getExampleNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import { expect, it } from 'vitest';
import { createPhoneNumbers } from './phone-numbers.js';

const { normalize } = createPhoneNumbers();

const MORE = 'AU NZ SG MY TH ID PH PK BD LK HK TW HR RS LT'.split(' ') as readonly CountryCode[];

const NUMBERS: readonly (readonly [country: CountryCode, national: string])[] = [
  ...CANDIDATES_OF_COUNTRIES.map(([country, , , phone]) => [country as CountryCode, phone] as const),
  ...MORE.map((country) => {
    const national = getExampleNumber(country, EXAMPLES)?.formatNational();
    if (national === undefined) throw new Error(`There is no example of ${country}.`);
    return [country, national] as const;
  }),
];

it('each is valid in the country of the job, or refused, and the reference says how many', () => {
  expect(NUMBERS).toHaveLength(60);
  let refused = 0;
  let alike = 0;
  for (const [jobCountry] of NUMBERS) {
    const code = getCountryCallingCode(jobCountry);
    for (const [country, national] of NUMBERS) {
      const stored = normalize(national, jobCountry);
      const isOwn = getCountryCallingCode(country) === code;
      if (stored === null) {
        expect([jobCountry, country, isOwn]).toEqual([jobCountry, country, false]);
        refused += 1;
        continue;
      }
      const number = parsePhoneNumberFromString(stored);
      expect([stored, number?.countryCallingCode, number?.isValid()]).toEqual([stored, code, true]);
      expect(normalize(stored, 'Remote')).toBe(stored);
      if (!isOwn) alike += 1;
    }
  }
  const reference = readFileSync(new URL('../../../../docs/errors-and-limits.md', import.meta.url), 'utf8');
  const words = reference.replaceAll(/\s+/g, ' ');
  expect(words).toContain(
    `${refused.toLocaleString('en')} were refused, and ${alike.toLocaleString('en')} are also valid in the country of the job`,
  );
});
