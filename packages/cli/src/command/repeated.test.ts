import fc from 'fast-check';
import { expect, test } from 'vitest';
import { repeated } from './repeated.js';

test.each(['publsh', '--colour', 'job_4711', 'ej_app_01k2f9', 'five', '168.5', '2026-01-31T09:00', 'jobs2'])(
  'a message repeats %s',
  (text) => {
    expect(repeated(text)).toBe(` "${text}"`);
    expect(repeated(text, ', not ')).toBe(`, not "${text}"`);
  },
);

test.each([
  'pek_live_dGhlIHNlY3JldA',
  'PEK-TEST_dGhlIHNlY3JldA',
  'key_pek_live_dGhlIHNlY3JldA',
  'whsec_dGhlIHNlY3JldA',
  'postgres://app:s3cret@db/x',
  'password=s3cret',
  'two words',
  '',
])('does not repeat %s', (text) => {
  expect(repeated(text)).toBe('');
});

test('does not repeat random bytes in any spelling', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 16, maxLength: 32 }),
      fc.constantFrom('hex', 'base64', 'base64url'),
      (bytes, encoding) => {
        const text = Buffer.from(bytes).toString(encoding);
        // Sixteen random bytes are digits only, or letters of one case only, less than once in a million.
        fc.pre(
          /[a-z]/i.test(text) &&
            !/^[a-z]{2,3}_/.test(text) &&
            (/\d/.test(text) || /[a-z].*[A-Z]|[A-Z].*[a-z]/.test(text)),
        );
        expect(repeated(text)).toBe('');
      },
    ),
    {
      examples: [
        [Buffer.from('AAAAAAAAAAAAAAAAAAAAAE0', 'base64url'), 'base64url'],
        [Buffer.from('AbcdefghijklmnopqrstuA', 'base64url'), 'base64url'],
      ],
    },
  );
});
