import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findCountry, knowsOnlyEnglish } from './countries.js';

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const CODES = LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter(
  (code) => findCountry(code) === code,
);

describe('a country', () => {
  it('is known by its code, and by its name in every tested language of Intl', () => {
    expect(CODES).toHaveLength(250);
    for (const language of [
      'en',
      'de',
      'fr',
      'es',
      'pt',
      'pl',
      'tr',
      'ru',
      'ar',
      'hi',
      'ja',
      'ko',
      'zh',
      'fil',
    ]) {
      const names = new Intl.DisplayNames(language, { type: 'region' });
      const others = CODES.filter((code) => ![code, null].includes(findCountry(names.of(code) ?? '')));
      expect([language, others]).toEqual([language, []]);
      const known = CODES.filter((code) => findCountry(names.of(code) ?? '') === code);
      expect([language, known.length >= 245]).toEqual([language, true]);
    }
  });

  it.each([
    ['us', 'US'],
    ['U.S.A.', 'US'],
    ['United States of America', 'US'],
    ['the united states', 'US'],
    ['EE. UU.', 'US'],
    ['840', 'US'],
    ['GBR', 'GB'],
    ['UK', 'GB'],
    ['England', 'GB'],
    ['Great Britain', 'GB'],
    ['Großbritannien', 'GB'],
    ['Deutschland', 'DE'],
    ['DEUTSCHLAND', 'DE'],
    ['España', 'ES'],
    ['espana', 'ES'],
    ['Ελλάδα', 'GR'],
    ['EL', 'GR'],
    ['The Netherlands', 'NL'],
    ['Holland', 'NL'],
    ["Côte d'Ivoire", 'CI'],
    ['Cote d’Ivoire', 'CI'],
    ['Turkey', 'TR'],
    ['Türkiye', 'TR'],
    ['Bosnia & Herzegovina', 'BA'],
    ['St Kitts and Nevis', 'KN'],
    ['Czech Republic', 'CZ'],
    ['South Korea', 'KR'],
    ['대한민국', 'KR'],
    ['中国', 'CN'],
    ['भारत', 'IN'],
    [' canada\n', 'CA'],
  ])('%j is %s', (text, code) => {
    expect(findCountry(text)).toBe(code);
  });

  it.each([
    ['DD', 'DE'],
    ['YU', 'RS'],
    ['ZR', 'CD'],
    ['BU', 'MM'],
    ['TP', 'TL'],
    ['FX', 'FR'],
    ['280', 'DE'],
    ['ROM', 'RO'],
    ['ZAR', 'CD'],
  ])('whose code %s was withdrawn counts as its successor %s', (text, code) => {
    expect(findCountry(text)).toBe(code);
  });

  it.each(['Congo', 'Korea', 'Kongo'])('is not known by %s, which is a name of two', (text) => {
    expect(findCountry(text)).toBeNull();
  });

  it.each([
    '',
    ' ',
    '??',
    'XX',
    'ZZ',
    'EU',
    'XXX',
    '000',
    '999',
    'Remote',
    'Atlantis',
    'constructor',
    '__proto__',
  ])('is not %j', (text) => {
    expect(findCountry(text)).toBeNull();
  });

  it('is accepted again in its stored form, and any text ends in a code or in null', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), (text) => {
        const code = findCountry(text);
        if (code !== null) expect(findCountry(code)).toBe(code);
      }),
    );
  });

  it('has names in other languages on a Node with full ICU', () => {
    expect(knowsOnlyEnglish()).toBe(false);
  });
});
