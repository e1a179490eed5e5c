/** Realistic candidates: all are accepted, except for the kinds that the reference lists. */
import { readFileSync } from 'node:fs';
import { CANDIDATES_OF_COUNTRIES } from '@partner-hiring/test-support/candidates-of-countries';
import { errorsOf, parse, VALID } from '@partner-hiring/test-support/submission-body';
import { describe, expect, it } from 'vitest';
import { createPhoneNumbers } from '../defaults/phone-numbers.js';

const { normalize } = createPhoneNumbers();

interface Sent {
  readonly country: string;
  readonly candidate: { firstName: string; lastName: string; email: string; phone: string };
  readonly resumeUrl: string | null;
  readonly e164: string;
  readonly storedEmail: string;
}

/** Seven ways in which the candidates of each country arrive. */
const SENT: readonly Sent[] = CANDIDATES_OF_COUNTRIES.flatMap(
  ([country, firstName, lastName, phone, e164, email]) => {
    const plain = { firstName, lastName, email, phone };
    const spaced = `${e164.slice(0, 4)} ${e164.slice(4, 7)} ${e164.slice(7)}`;
    const file = `https://files.example.com/${lastName} CV.pdf?for=${firstName}`;
    const ways: readonly (readonly [typeof plain, string | null])[] = [
      [plain, null],
      [{ ...plain, phone: `\u202a${spaced}\u202c` }, 'https://files.example.com/cv.pdf'],
      [{ ...plain, phone: `tel:${e164}`, email: ` ${email} ` }, file],
      [{ ...plain, phone: `\u00a0${phone}\n`, firstName: firstName.normalize('NFD') }, `${file} `],
      [{ ...plain, phone: e164, lastName: lastName.toUpperCase() }, 'https://bit.ly/3xYz'],
      [{ ...plain, phone: phone.replaceAll(' ', '\u2009') }, 'http://example.com:8080/%E5%B1%A5?a=1&b=2#p'],
      [
        { ...plain, phone: e164, lastName: `${lastName} (${firstName})` },
        'https://drive.example.com/file/d/1_-x/view',
      ],
    ];
    return ways.map(([candidate, resumeUrl]) => ({
      country,
      candidate,
      resumeUrl,
      e164,
      storedEmail: email,
    }));
  },
);

describe('realistic candidates', () => {
  it(`${SENT.length} of ${CANDIDATES_OF_COUNTRIES.length} countries are accepted with the right values`, () => {
    expect(SENT.length).toBeGreaterThanOrEqual(300);
    for (const { country, candidate, resumeUrl, e164, storedEmail } of SENT) {
      const body = { ...VALID, candidate, resumeUrl };
      expect([candidate, resumeUrl, errorsOf(body)]).toEqual([candidate, resumeUrl, []]);
      const parsed = parse(body);
      if (parsed.kind !== 'valid') continue;
      const { submission } = parsed;
      const stored = { ...submission.candidate, phone: normalize(submission.candidate.phone, country) };
      expect([country, stored]).toEqual([country, { ...candidate, email: storedEmail, phone: e164 }]);
      expect(submission.resumeUrl ?? '').not.toMatch(/\s/);
      const again = parse({ ...body, candidate: stored, resumeUrl: submission.resumeUrl });
      expect(again).toMatchObject({
        submission: { candidate: stored, resumeUrl: submission.resumeUrl },
      });
    }
  });
});

/** An example of each kind of candidate that the reference lists as refused. */
const REFUSED: Readonly<Record<string, object>> = {
  'a phone number with an extension': { phone: '+1 415 555 0132 ext. 7' },
  'a phone number that is too short or too long for its country': { phone: '12345' },
  "a phone number without a country code that is not valid in the job's country": { phone: '06 12 34 56 78' },
  'two phone numbers, or words beside a number': { phone: '415 555 0132 / 415 555 0199' },
  'an e-mail address without a domain of two labels, or whose domain is not a valid name': {
    email: 'ada@example_.com',
  },
  'an e-mail address at an IP address': { email: 'ada@[192.0.2.1]' },
  'an e-mail address with a name, a comment or `mailto:`': { email: 'Ada King <ada@example.com>' },
  'two e-mail addresses': { email: 'ada@example.com, eva@example.com' },
  'a name without a visible character': { firstName: '\u200b' },
  'a name of more than 100 characters': { lastName: 'x'.repeat(101) },
  'a name with a tab or a line break inside, or a bidirectional override': { lastName: 'King\tJr.' },
  'a link without `http://` or `https://`': { resumeUrl: 'files.example.com/cv.pdf' },
  'a link with a user and a password': { resumeUrl: 'https://ada:secret@files.example.com/cv.pdf' },
};

describe('candidates that are refused', () => {
  it.each(Object.entries(REFUSED))('%s', (_, changes) => {
    const { resumeUrl = null, ...changed } = changes as { resumeUrl?: string };
    const candidate = { ...VALID.candidate, ...changed };
    const isRefused = errorsOf({ ...VALID, candidate, resumeUrl }).length > 0;
    expect(isRefused || normalize(candidate.phone, 'US') === null).toBe(true);
  });

  it('are those that the reference lists, each with its reason', () => {
    const page = readFileSync(new URL('../../../../docs/errors-and-limits.md', import.meta.url), 'utf8');
    const section = page.split('### Candidates that are refused')[1]?.split(/^#/m)[0] ?? '';
    const rows = [...section.matchAll(/^\| (.+) \| (.+) \| (.+) \|$/gm)].slice(2);
    expect(rows.map(([, kind]) => kind)).toEqual(Object.keys(REFUSED));
    for (const [, , code, reason] of rows) expect([code, reason?.length]).not.toContain(0);
  });
});
