import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ApplicationRecord } from './application.js';
import { maskApplication, maskEmail, maskName, maskPhone } from './mask-application.js';

it.each([
  [maskName, 'Ada', 'A…'],
  [maskName, 'Mary Ann', 'M… A…'],
  [maskName, '𝒜da', '𝒜…'],
  [maskName, '', ''],
  [maskEmail, 'ada@example.com', 'a…@example.com'],
  [maskEmail, '"a@b"@example.com', '"…@example.com'],
  [maskEmail, 'no-address', 'n…'],
  [maskEmail, '', ''],
  [maskPhone, '+14155550123', '…23'],
  [maskPhone, '', ''],
])('%o makes %j %j', (mask, text, masked) => {
  expect(mask(text)).toBe(masked);
});

const APPLICATION: Omit<ApplicationRecord, 'candidate' | 'answers' | 'resumeUrl' | 'resume'> = {
  id: 'ej_app_1',
  keyId: 'key_1',
  jobId: 'job_1',
  companyId: 'co_1',
  sourceApplicationId: 'ats-1',
  status: 'received',
  stage: 'initial_outreach',
  submittedAt: 1,
  lastStatusChangeAt: 1,
  changedAt: 1,
  source: 'careers',
  erasedAt: null,
};

it('leaves no text of a candidate that is longer than its mask', () => {
  // Long enough that no mask contains it by chance.
  const secret = fc.stringMatching(/^[a-z]{8,20}$/);
  fc.assert(
    fc.property(secret, (text) => {
      const masked = maskApplication({
        ...APPLICATION,
        candidate: {
          firstName: text,
          lastName: `${text} ${text}`,
          email: `${text}@example.com`,
          phone: text,
        },
        answers: { question: text, nested: { of: [text] } },
        resumeUrl: `https://files.example.com/${text}.pdf`,
        resume: { kind: 'failed', reason: 'too_large', detail: text, failedAt: 1 },
      });
      expect(JSON.stringify(masked)).not.toContain(text);
      expect(Object.keys(masked.answers)).toEqual(['question', 'nested']);
    }),
  );
});

it('hides where a résumé is stored', () => {
  const resume = { kind: 'fetched', location: 's3://bucket/ada.pdf', fetchedAt: 1 } as const;
  const candidate = { firstName: '', lastName: '', email: '', phone: '' };
  const masked = maskApplication({ ...APPLICATION, candidate, answers: {}, resumeUrl: null, resume });
  expect(masked).toMatchObject({ candidate, resumeUrl: null, resume: { kind: 'fetched', location: '…' } });
});
