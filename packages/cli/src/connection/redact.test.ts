import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRedactor } from './redact.js';

test.each([
  ['postgres://ada:s3cret@db/x', 'login of s3cret failed', 'login of *** failed'],
  ['postgres://ada:a%23b@db/x', 'a#b and a%23b', '*** and ***'],
  ['postgres://ada:p@ss/word@db/x', 'host ss/word, host word', 'host ***, host ***'],
  ['postgres://ada:a%zz@db/x', 'a%zz', '***'],
  ['postgres://db/x?password=s3cret&user=ada', 'ada s3cret', 'ada ***'],
  ['postgres://db/x?sslpassword=s3cret', 's3cret', '***'],
  ['postgres://ada@db/x', 'ada db', 'ada db'],
  ['postgres://db/x', 'db', 'db'],
])('with %s, "%s" becomes "%s"', (connectionString, text, expected) => {
  expect(createRedactor(connectionString)(text)).toBe(expected);
});

test('no text keeps a password, encoded or not', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.string(), fc.string(), (password, before, after) => {
      // A password of stars, or a text that repeats it by chance, shows nothing.
      fc.pre(!password.includes('*') && !`${before}${after}`.includes(password));
      const redact = createRedactor(`postgres://ada:${encodeURIComponent(password)}@db/x`);
      const text = redact(`${before} ${password} ${after}`);
      const others = redact(`${before}  ${after}`);
      expect(text.includes(password)).toBe(others.includes(password));
    }),
  );
});
