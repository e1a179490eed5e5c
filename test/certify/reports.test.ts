import { certify } from '@partner-hiring/certify';
import { expect, test } from 'vitest';
import { certifyWith, codesOf } from './certify-with.js';
import { OLD_SECRET, RIGHT, SECRET, startReceiver } from './receiver.js';

test('skips the rejection checks when nothing is accepted', async () => {
  const { checks } = await certifyWith({ secrets: [OLD_SECRET] });
  expect(checks.find(({ name }) => name === 'tampered_body')?.verdict).toBe('skipped');
});

test('skips the secret checks when any secret is accepted', async () => {
  const report = await certifyWith({ refusal: 200, statusFor: () => 500 });
  expect(codesOf(report)).toEqual(['refuses_everything', 'accepts_wrong_secret']);
});

test('hides the query and all secrets in a report, even one that the receiver returns', async () => {
  const url = await startReceiver({
    ...RIGHT,
    before: (request, response) => {
      request.resume().on('end', () => response.writeHead(400).end(`expected ${SECRET}\u001b[2J`));
      return true;
    },
  });
  const report = await certify({ url: `${url}?token=hidden`, secret: SECRET });
  const text = JSON.stringify(report);
  expect(text).toContain('expected (secret)');
  expect(text).not.toContain(SECRET);
  expect(text).not.toContain('hidden');
  expect(text).not.toContain('\\u001b');
});
