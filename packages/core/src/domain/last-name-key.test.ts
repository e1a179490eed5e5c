import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lastNameKey, lastNameRange } from './last-name-key.js';

function isFound(lastName: string, prefix: string): boolean {
  const range = lastNameRange(prefix);
  const key = Buffer.from(lastNameKey(lastName));
  return (
    range !== null &&
    Buffer.compare(key, Buffer.from(range.from)) >= 0 &&
    Buffer.compare(key, Buffer.from(range.before)) < 0
  );
}

describe('a last name', () => {
  it.each([
    ['García', 'GARCIA'],
    ['GARCIA', 'garcí'],
    ['Groß', 'gross'],
    ['Gross', 'groß'],
    ['GROẞ', 'gross'],
    ['Łukasz', 'luk'],
    ['Đorđević', 'dordevic'],
    ['Øster', 'oster'],
    ['Þórsson', 'thors'],
    ['Æbelø', 'aebelo'],
    ['Œuvre', 'oeuv'],
    ['Guðmundsdóttir', 'gudm'],
    ['Borġ Ħal', 'borg hal'],
    ['Əliyev', 'eli'],
    ['Đỗ', 'do'],
    ['Kekuaokalani', 'kekua'],
    ['Kaʻiulani', "ka'iu"],
    ['Lukasz', 'Łuk'],
    ['Işık', 'isik'],
    ['İnan', 'inan'],
    ['ΟΔΥΣΣΕΥΣ', 'οδυς'],
    ['O’Brien', "o'br"],
    ['Smith‑Jones', 'smith-j'],
    ['de   la Cruz', ' De La'],
    ['Ｔａｎａｋａ', 'tanaka'],
    ['김', '김'],
    ['田中', '田'],
  ])('%s is found by %s', (lastName, prefix) => {
    expect(isFound(lastName, prefix)).toBe(true);
  });

  it.each([
    ['Smith', 'smithe'],
    ['Dean', 'de '],
    ['McSmith', 'smith'],
  ])('%s is not found by %s', (lastName, prefix) => {
    expect(isFound(lastName, prefix)).toBe(false);
  });

  it('is found by each of its own beginnings', () => {
    const names = fc
      .string({ unit: 'grapheme', size: 'max', maxLength: 100 })
      .filter((name) => lastNameRange(name) !== null);
    fc.assert(
      fc.property(names, fc.nat(), (name, length) => {
        const graphemes = [...new Intl.Segmenter().segment(name.trim())].map(({ segment }) => segment);
        const prefix = graphemes.slice(0, 1 + (length % graphemes.length)).join('');
        expect(lastNameRange(prefix) === null || isFound(name, prefix)).toBe(true);
      }),
    );
  });

  it('has a key of at most 60 characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (name) => {
        expect(lastNameKey(name).length).toBeLessThanOrEqual(60);
        expect(lastNameKey(name).isWellFormed()).toBe(true);
      }),
    );
  });

  it('is not looked up by a prefix without letters', () => {
    for (const prefix of ['', ' ', '\u0301', '\u{10FFFF}']) expect(lastNameRange(prefix)).toBeNull();
  });
});
