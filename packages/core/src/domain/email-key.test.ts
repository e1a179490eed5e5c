import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emailKey, emailSpellings } from './email-key.js';

const NFD = 'zoë@büro.example'.normalize('NFD');

describe('an e-mail address', () => {
  it.each([
    ['ada@Example.ORG', 'ADA@example.org'],
    ['ada@büro.example', 'ada@xn--bro-hoa.example'],
    ['ada@BÜRO.example', 'ada@XN--BRO-HOA.example'],
    ['zoë@büro.example', NFD],
    ['zoë@xn--bro-hoa.example', NFD.toUpperCase()],
    ['ΟΔΟΣ@example.org', 'οδος@example.org'],
    ['"ada.l"@example.org', 'ada.l@example.org'],
    [' ada@example.org ', 'ada@example.org'],
  ])('%s has the same mailbox as %s', (one, other) => {
    expect(emailKey(one)).toBe(emailKey(other));
  });

  it.each([
    ['ada+jobs@example.org', 'ada@example.org'],
    ['a.da@example.org', 'ada@example.org'],
    ['groß@example.org', 'gross@example.org'],
    ['"a b"@example.org', 'a b@example.org'],
    ['ada@example.org', 'ada@example.com'],
  ])('%s has another mailbox than %s', (one, other) => {
    expect(emailKey(one)).not.toBe(emailKey(other));
  });

  it('keeps its key in all spellings', () => {
    const letters = fc.stringMatching(/^[a-zäéåñ]{1,8}$/);
    fc.assert(
      fc.property(letters, letters, (local, label) => {
        const email = `${local}@${label}.example`;
        const spellings = emailSpellings(email);
        expect(spellings).toContain(email);
        expect(spellings).toContain(email.normalize('NFD'));
        for (const each of spellings) {
          expect(emailKey(each)).toBe(emailKey(email));
        }
      }),
    );
  });
});
