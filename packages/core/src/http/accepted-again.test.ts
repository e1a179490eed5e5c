/** A name and a link that are accepted once are accepted again in their stored form, which is then the same. */
import { parse, VALID, withCandidate } from '@partner-hiring/test-support/submission-body';
import fc from 'fast-check';
import { expect, it } from 'vitest';

const BLANKS = fc.stringMatching(/^[ \t\n\r\u00a0\u3000\u200e]{0,3}$/);

const names = fc
  .tuple(BLANKS, fc.string({ unit: 'grapheme', maxLength: 20 }), BLANKS)
  .map((parts) => parts.join(''));

const links = fc
  .tuple(
    BLANKS,
    fc.webUrl({ withQueryParameters: true }),
    fc.string({ unit: 'grapheme', maxLength: 10 }),
    BLANKS,
  )
  .map((parts) => parts.join(''));

it('a name is accepted again, with any white space around it', () => {
  fc.assert(
    fc.property(names, (firstName) => {
      const first = parse(withCandidate({ firstName }));
      fc.pre(first.kind === 'valid');
      if (first.kind !== 'valid') return;
      const stored = first.submission.candidate.firstName;
      const again = parse(withCandidate({ firstName: stored }));
      expect(again).toMatchObject({ kind: 'valid', submission: { candidate: { firstName: stored } } });
    }),
  );
});

it('a link is accepted again, with blanks and other characters', () => {
  fc.assert(
    fc.property(links, (resumeUrl) => {
      const first = parse({ ...VALID, resumeUrl });
      fc.pre(first.kind === 'valid');
      if (first.kind !== 'valid') return;
      const stored = first.submission.resumeUrl;
      expect(parse({ ...VALID, resumeUrl: stored })).toMatchObject({ submission: { resumeUrl: stored } });
    }),
  );
});
