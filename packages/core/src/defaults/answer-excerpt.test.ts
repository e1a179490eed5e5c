import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_EXCERPT_BYTES, toExcerpt } from './answer-excerpt.js';

describe('toExcerpt', () => {
  it('keeps ordinary text as it is', () => {
    expect(toExcerpt(Buffer.from('{"error":"ungültig 🚫"}'))).toBe('{"error":"ungültig 🚫"}');
  });

  it('makes whatever comes harmless, storable, and no longer than a kilobyte', () => {
    const control = /[\p{Cc}\p{Bidi_Control}]/u;
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3_000 }), (bytes) => {
        const excerpt = toExcerpt(bytes);
        expect(Buffer.byteLength(excerpt)).toBeLessThanOrEqual(MAX_EXCERPT_BYTES);
        expect(excerpt).not.toMatch(control);
        expect(Buffer.from(excerpt).toString()).toBe(excerpt);
      }),
    );
  });

  it('does not cut a character in half at the limit', () => {
    const text = `${'a'.repeat(MAX_EXCERPT_BYTES - 1)}é`;
    expect(toExcerpt(Buffer.from(text))).toBe('a'.repeat(MAX_EXCERPT_BYTES - 1));
  });

  it('takes out what turns text around or moves a terminal’s cursor', () => {
    expect(toExcerpt(Buffer.from('a\u202eb\u2066c\u001b[2Jd\r\ne\u0085f'))).toBe('a b c [2Jd  e f');
  });
});
