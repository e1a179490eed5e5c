import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findResume } from './base64-content.js';
import { RESUME_TYPES } from './resume-type.js';

const PDF = Buffer.from('%PDF-1.7\nJane Doe');
const BASE64 = PDF.toString('base64');

function find(text: string) {
  return findResume(Buffer.from(text));
}

describe('findResume', () => {
  it.each([
    ['white space around', `\r\n ${BASE64}\n`],
    ['a byte order mark', `\ufeff${BASE64}`],
    ['a letter per line', [...BASE64].join('\n')],
    ['percents', encodeURIComponent(BASE64)],
    ['single quotes', `'${BASE64}'`],
    ['a line break of JSON', `"${BASE64.slice(0, 8)}\\r\\n${BASE64.slice(8)}"`],
    ['a data URI without a type', `data:;base64,${BASE64}`],
    ['a data URI in capitals', `DATA:application/pdf;BASE64,${BASE64}`],
    ['a data URI with percents', `data:application/pdf;charset=utf-8;base64,${encodeURIComponent(BASE64)}`],
  ])('decodes Base64 with %s', (_what, text) => {
    expect(find(text)).toEqual({ bytes: PDF, type: RESUME_TYPES.pdf });
  });

  it('decodes the Base64 of any text as long as a sentence', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-composite', minLength: 12, maxLength: 60 }), (words) => {
        const text = Buffer.from(`Jane ${words}`.toWellFormed());
        expect(findResume(Buffer.from(text.toString('base64')))).toEqual({
          bytes: text,
          type: RESUME_TYPES.txt,
        });
      }),
    );
  });

  it.each([
    'Jane',
    'JaneDoeIsAWelderSince2015',
    'Jane\nDoe\nWelder\nBerlin',
    'data: base64, XML',
    'Jane: AAAA==',
  ])('takes the text %j as it is', (text) => {
    expect(find(text)).toEqual({ bytes: Buffer.from(text), type: RESUME_TYPES.txt });
  });

  it.each([
    ['a page', Buffer.from('<html>Sign in</html>')],
    ['a picture', Buffer.from('89504e470d0a1a0a', 'hex')],
    ['a program', Buffer.from('MZ\u0000\u0001')],
    ['nothing', Buffer.alloc(0)],
  ])('refuses a data URI of %s', (_what, bytes) => {
    expect(find(`data:application/pdf;base64,${bytes.toString('base64')}`)).toBeNull();
  });
});
