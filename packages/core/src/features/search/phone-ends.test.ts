import { getCountries, getExampleNumber } from 'libphonenumber-js/min';
import examples from 'libphonenumber-js/mobile/examples';
import { expect, it } from 'vitest';
import { phoneEnds } from './phone-ends.js';

it('finds the mobile numbers of every country in the form in which they are written there', () => {
  const numbers = getCountries().flatMap((country) => getExampleNumber(country, examples) ?? []);
  expect(numbers.length).toBeGreaterThan(200);
  const lost = numbers.filter((number) => {
    const written = number.formatNational().replace(/\D/g, '');
    return !phoneEnds(written).some((end) => number.number.endsWith(end));
  });
  expect(lost.map(({ country }) => country)).toEqual([]);
});

it.each([
  ['030123456', '+4930123456'],
  ['89123456789', '+79123456789'],
  ['0612345678', '+3612345678'],
  ['0445512345678', '+525512345678'],
  ['0111512345678', '+5491112345678'],
  ['14155550123', '+14155550123'],
  ['0123', '+14155550123'],
])('%s finds %s', (written, stored) => {
  expect(phoneEnds(written).some((end) => stored.endsWith(end))).toBe(true);
});

it('looks for no end of less than four digits', () => {
  expect(phoneEnds('0123')).toEqual(['0123']);
  expect(phoneEnds('00012')).toEqual(['00012']);
});
