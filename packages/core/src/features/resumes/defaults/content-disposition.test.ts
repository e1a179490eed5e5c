import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { suggestedFileName } from './content-disposition.js';

/** A header as undici gives it. */
const raw = (text: string, encoding: BufferEncoding = 'utf8') =>
  Buffer.from(text, encoding).toString('latin1');

describe('suggestedFileName', () => {
  it.each([
    ['nothing', '', ''],
    ['no name', 'attachment', ''],
    ['a name alone', 'filename=cv.pdf', 'cv.pdf'],
    ['capitals', 'ATTACHMENT; FILENAME="cv.pdf"', 'cv.pdf'],
    ['blanks around =', 'attachment; filename = "cv.pdf"', 'cv.pdf'],
    ['no semicolon', 'attachment filename="cv.pdf"', 'cv.pdf'],
    ['blanks without quotes', 'attachment; filename=My CV 1.pdf; size=5', 'My CV 1.pdf'],
    ['single quotes', "attachment; filename='My CV.pdf'", 'My CV.pdf'],
    ['no closing quote', 'attachment; filename="My CV.pdf', '"My CV.pdf'],
    ['another parameter that ends alike', 'form-data; name="x"; xfilename=y; filename=z', 'z'],
    ['two names', 'attachment; filename=a.pdf; filename=b.pdf', 'a.pdf'],
    ['an empty name before another', 'attachment; filename*=""; filename=b.pdf', 'b.pdf'],
    ['filename* without a character set', "attachment; filename*=''J%C3%BCrg.pdf", 'Jürg.pdf'],
    ['filename* without quotes', 'attachment; filename*=J%C3%BCrg.pdf', 'Jürg.pdf'],
    ['filename* with a language', "attachment; filename*=UTF-8'de-DE'J%C3%BCrg.pdf", 'Jürg.pdf'],
    ['filename* in UTF-16', "attachment; filename*=utf-16be''%00J%00%FC", 'Jü'],
    ['an encoded word with a language', 'attachment; filename="=?utf-8*de?Q?J=C3=BCrg?="', 'Jürg'],
    [
      'an encoded word of an unknown character set',
      'attachment; filename="=?none?Q?J=FCrg?="',
      '=?none?Q?J=FCrg?=',
    ],
    [
      'an encoded word among others',
      'attachment; filename="CV =?gb2312?B?vPLA+g==?= 1.pdf"',
      'CV 简历 1.pdf',
    ],
    ['a percent that encodes nothing', 'attachment; filename="100% CV.pdf"', '100% CV.pdf'],
  ])('reads %s', (_what, header, name) => {
    expect(suggestedFileName(header)).toBe(name);
  });

  it.each(['Jürg Müller.pdf', '履歴書.pdf', 'Łukasz’ CV 🚀.pdf'])('reads %s in raw UTF-8', (name) => {
    expect(suggestedFileName(raw(`attachment; filename="${name}"`))).toBe(name);
    expect(suggestedFileName(raw(`attachment; filename=${name}`))).toBe(name);
    expect(suggestedFileName(raw(`attachment; filename*=UTF-8''${name}`))).toBe(name);
  });

  it('reads raw Latin-1', () => {
    expect(suggestedFileName(raw('attachment; filename="Jürg.pdf"', 'latin1'))).toBe('Jürg.pdf');
  });

  it('reads any name that an RFC 8187 encoder writes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), (name) => {
        fc.pre(name.trim() !== '' && name.isWellFormed());
        const header = `attachment; filename="x"; filename*=UTF-8''${encodeURIComponent(name)}`;
        expect(suggestedFileName(header)).toBe(name);
      }),
    );
  });

  it.each(['filename="', 'filename="\\', ';', '=?a?q?', "filename*=a'", '; filename=', '%20', "''"])(
    'reads a hostile header of %j in linear time',
    (part) => {
      const startedAt = performance.now();
      suggestedFileName(`attachment; filename="${part.repeat(100_000)}`);
      suggestedFileName(part.repeat(100_000));
      expect(performance.now() - startedAt).toBeLessThan(2_000);
    },
  );
});
