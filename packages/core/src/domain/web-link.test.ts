import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeBlanks, problemOfLink } from './web-link.js';

describe('blanks in a link (decision 10)', () => {
  it.each([
    ['https://files.example.com/My CV.pdf', 'https://files.example.com/My%20CV.pdf'],
    [
      'https://files.example.com/a b/c  d?name=Ada King&x=1 2',
      'https://files.example.com/a%20b/c%20%20d?name=Ada%20King&x=1%202',
    ],
    ['https://files.example.com?name=Ada King', 'https://files.example.com?name=Ada%20King'],
    ['https://files.example.com/cv.pdf#page 2', 'https://files.example.com/cv.pdf#page%202'],
    [
      'https://files.example.com/Lebenslauf\u00a0Ada.pdf',
      'https://files.example.com/Lebenslauf%C2%A0Ada.pdf',
    ],
    ['https://files.example.com/履歴書\u3000李.pdf', 'https://files.example.com/履歴書%E3%80%80李.pdf'],
    [' https://files.example.com/cv.pdf ', 'https://files.example.com/cv.pdf'],
    ['\u202ahttps://files.example.com/My CV.pdf\u202c', 'https://files.example.com/My%20CV.pdf'],
    ['\ufeffhttps://files.example.com/cv.pdf\u200b', 'https://files.example.com/cv.pdf'],
    ['https://files.example.com/❤\ufe0f', 'https://files.example.com/❤\ufe0f'],
    ['https://files.example.com/My%20CV.pdf', 'https://files.example.com/My%20CV.pdf'],
    ['https://files.example.com:8443/My CV.pdf', 'https://files.example.com:8443/My%20CV.pdf'],
    ['HTTPS://files.example.com/100% me.pdf', 'HTTPS://files.example.com/100%%20me.pdf'],
  ])('%j becomes %s', (sent, stored) => {
    expect([encodeBlanks(sent), problemOfLink(encodeBlanks(sent))]).toEqual([stored, null]);
  });

  it.each([
    ['https://my files.example.com/cv.pdf', /valid URL/],
    ['https:// files.example.com/cv.pdf', /valid URL/],
    ['https://files.example.com :443/cv.pdf', /valid URL/],
    ['https ://files.example.com/cv.pdf', /starts with https/],
    ['https: //files.example.com/cv.pdf', /starts with https/],
    ['https://files.example.com/a\tb.pdf', /It contains U\+0009/],
    ['https://files.example.com/cv.pdf\n', /It contains U\+000A/],
    ['https://ada:pass word@files.example.com/cv.pdf', /valid URL/],
    ['https://ada:pass@files.example.com/My CV.pdf', /without credentials/],
    ['files.example.com/My CV.pdf', /starts with https/],
    ['', /starts with https/],
  ])('%j is refused, and the message says why', (sent, message) => {
    expect(problemOfLink(encodeBlanks(sent))).toMatch(message);
  });

  it('a link that is accepted once is accepted again in its stored form', () => {
    const piece = fc.oneof(
      fc.constantFrom(' ', '%', '/', '?', '#', '\u3000', '\ufeff', '@', ':'),
      fc.string(),
    );
    const link = fc
      .tuple(
        fc.constantFrom('', ' '),
        fc.constantFrom('https://', 'http://', 'https://e.org'),
        fc.array(piece),
      )
      .map(([before, origin, rest]) => before + origin + rest.join(''));
    fc.assert(
      fc.property(link, (sent) => {
        const stored = encodeBlanks(sent);
        fc.pre(problemOfLink(stored) === null);
        expect([encodeBlanks(stored), problemOfLink(encodeBlanks(stored))]).toEqual([stored, null]);
        expect(new URL(stored).href).toBe(new URL(sent.trim()).href);
      }),
      { numRuns: 500 },
    );
  });

  it('takes linear time for a long link', () => {
    const startedAt = performance.now();
    encodeBlanks(`https://e.org/${' '.repeat(200_000)}x`);
    encodeBlanks(`${' '.repeat(200_000)}x`);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });
});
