import { parse } from '@partner-hiring/test-support/submission-body';
import fc from 'fast-check';
import { expect, it } from 'vitest';

it('never throws, and refuses with codes', () => {
  fc.assert(
    fc.property(fc.json({ stringUnit: 'binary', maxDepth: 3 }), (text) => {
      const parsed = parse(text);
      if (parsed.kind === 'valid') return;
      expect(parsed.errors.length).toBeGreaterThan(0);
      for (const { code, message } of parsed.errors) {
        expect(code).toMatch(/^[a-z_]+$/);
        expect(message).toMatch(/\.$/);
      }
    }),
  );
});

it('never repeats the rejected value', () => {
  const marked = fc.string({ minLength: 0, maxLength: 300 }).map((text) => `secret-${text}`);
  const value = fc.oneof(marked, fc.array(marked), fc.record({ inner: marked }));
  const body = fc.record(
    {
      jobId: value,
      candidate: fc.oneof(
        value,
        fc.record({ firstName: value, lastName: value, email: value, phone: value }),
      ),
      consentToContact: value,
      source: value,
      sourceApplicationId: value,
      applicationFormAnswers: value,
      resumeUrl: value,
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(body, (fields) => {
      const parsed = parse(fields);
      expect(parsed.kind).toBe('invalid');
      expect(JSON.stringify(parsed.kind === 'invalid' && parsed.errors)).not.toContain('secret-');
    }),
  );
});
