import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldName } from './last-name-key.js';
import { isNamedLike, lastNameBeginnings, nameWords, searchWords } from './name-words.js';

describe('the words of a name', () => {
  it.each([
    ['Night picker (m/f/d)', ['night', 'picker', 'm/f/d']],
    ['Anne-Marie O’Neill, Inc.', ['anne-marie', 'anne', 'marie', "o'neill", 'neill', 'inc']],
    ['C++ & C# Developer', ['c++', 'c#', 'developer']],
    ['R&D', ['r&d']],
    ['Café Zürich', ['cafe', 'zurich']],
    ['A B', []],
    ['山田 商店', ['山田', '商店']],
  ])('%s are found', (name, words) => {
    expect(nameWords(name)).toEqual(words);
  });

  it('are at most forty, each of at most sixty characters', () => {
    const words = nameWords(
      Array.from({ length: 99 }, (_, number) => `${number}${'x'.repeat(99)}`).join(' '),
    );
    expect(words).toHaveLength(40);
    expect(words.every(({ length }) => length === 60)).toBe(true);
  });
});

describe('searched words', () => {
  it('are split at blanks and commas, and are at most six', () => {
    expect(searchWords(' Reyes,  Ada ')).toEqual(['reyes', 'ada']);
    expect(searchWords('a b c d e f g')).toHaveLength(6);
  });

  it.each([
    ['Ada Reyes', 'reyes ada'],
    ['Ada María Reyes', 'mar rey'],
    ['Anne-Marie Smith', 'marie'],
    ['Anne-Marie Smith', 'anne-m smith'],
    ['Juan de la Cruz', 'cruz juan'],
    ['J. Smith', 'j smith'],
  ])('are those of %s: %s', (name, text) => {
    expect(isNamedLike(searchWords(text), name)).toBe(true);
  });

  it.each([
    ['Ada Reyes', 'da'],
    ['Ada Reyes', 'ada reyesx'],
    ['Ada Reyes', 'ada bo'],
  ])('are not those of %s: %s', (name, text) => {
    expect(isNamedLike(searchWords(text), name)).toBe(false);
  });

  it('begin a last name one at a time, all together, without the first and without the last', () => {
    expect(lastNameBeginnings(['ada'])).toEqual(['ada']);
    expect(lastNameBeginnings(['j', 'smith'])).toEqual(['smith', 'j smith']);
    expect(lastNameBeginnings(['ana', 'de', 'la', 'cruz'])).toEqual([
      'ana',
      'de',
      'la',
      'cruz',
      'ana de la cruz',
      'de la cruz',
      'ana de la',
    ]);
  });

  it('find each name by the beginnings of its own words', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (name) => {
        for (const word of nameWords(name)) {
          expect(isNamedLike([[...word].slice(0, 2).join('')], name)).toBe(true);
        }
      }),
    );
  });
});

it('folds plain text as it folds any other', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
      expect(`${foldName(text)}é`.normalize('NFD').replace(/\p{Mn}/gu, '')).toBe(foldName(`${text}é`));
    }),
  );
});
