import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasVisibleCharacter, isPlainLine, isPlainText } from './text.js';

const CONTROLS = [...range(0x00, 0x1f), 0x7f, ...range(0x80, 0x9f)].map(character);
const DIRECTIONS = [...range(0x202a, 0x202e), ...range(0x2066, 0x2069)].map(character);
/** Real names need these joiners and direction marks. */
const MARKS = range(0x200c, 0x200f).map(character);
const BREAKS = ['\t', '\n', '\r'];

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
function character(point: number): string {
  return String.fromCodePoint(point);
}
function point(text: string): string {
  return `U+${(text.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

describe('plain text (decision 7)', () => {
  it.each([...CONTROLS, ...DIRECTIONS].map((text) => [point(text), text]))(
    'a line must not contain %s, at its start, in the middle, or at its end',
    (_, text) => {
      expect([text, `${text}a`, `a${text}b`, `a${text}`].map(isPlainLine)).toEqual(Array(4).fill(false));
    },
  );

  it('a long text may also contain tabs and line breaks', () => {
    for (const text of [...CONTROLS, ...DIRECTIONS]) {
      expect([point(text), isPlainText(`a${text}b`)]).toEqual([point(text), BREAKS.includes(text)]);
    }
  });

  it.each(
    [...MARKS, '\u200b', '\u2060', '\ufeff', '\u00a0', '\u2028', '\u00ad', '🦊'].map((text) => [
      point(text),
      text,
    ]),
  )('%s is part of both', (_, text) => {
    expect([isPlainLine(`a${text}b`), isPlainText(`a${text}b`)]).toEqual([true, true]);
  });

  it('depends only on these characters', () => {
    const anything = fc.array(
      fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...CONTROLS, ...DIRECTIONS, ...MARKS)),
    );
    fc.assert(
      fc.property(anything, (pieces) => {
        const text = pieces.join('');
        const found = [...text].filter((one) => CONTROLS.includes(one) || DIRECTIONS.includes(one));
        expect(isPlainLine(text)).toBe(found.length === 0);
        expect(isPlainText(text)).toBe(found.every((one) => BREAKS.includes(one)));
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('a visible character (decision 7)', () => {
  it.each([
    ['nothing', ''],
    ['spaces of many widths', ' \u00a0\u1680\u2000\u200a\u202f\u205f\u3000'],
    ['tabs and line breaks', '\t\r\n\v\f\u0085\u2028\u2029'],
    ['control characters', '\u0007\u001b\u007f\u009b'],
    ['zero-width characters', '\u200b\u200c\u200d\u2060\ufeff'],
    ['direction marks', '\u061c\u200e\u200f\u202e\u2066'],
    ['soft hyphens', '\u00ad'],
    ['fillers of Hangul', '\u115f\u1160\u3164\uffa0'],
    ['variation selectors', '\ufe0f\u180b\u{e0100}'],
    ['tags', '\u{e0041}\u{e007f}'],
    ['blanks of Braille and of music', '\u2800\u{1d159}\u{1d173}'],
    ['invisible operators', '\u2061\u2062\u2063\u2064'],
    ['a combining grapheme joiner', '\u034f'],
  ])('is not in %s', (_, text) => {
    expect(hasVisibleCharacter(text)).toBe(false);
    expect(hasVisibleCharacter(`${text}a${text}`)).toBe(true);
  });

  it.each([
    'a',
    'Ж',
    '李',
    'ء',
    'می\u200cخواهم',
    '.',
    '-',
    '0',
    '🦊',
    'e\u0301',
    'ක්\u200dය',
    '1',
    '\u2801',
    "'",
  ])('is in %j', (text) => {
    expect(hasVisibleCharacter(text)).toBe(true);
  });
});
